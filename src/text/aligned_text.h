// Text that has been changed and still knows where each of its characters came from; and text cut into pieces.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "berth/text.h"
#include "text/code_points.h"

namespace berth::text {

// Valid UTF-8 with, for every byte, the span of the original text (in code points) that its character stands for.
struct AlignedText {
  std::string bytes;
  std::vector<Span> spans;  // as long as `bytes`

  [[nodiscard]] std::size_t size() const noexcept { return bytes.size(); }
  void reserve(std::size_t size) {
    bytes.reserve(size);
    spans.reserve(size);
  }
  void push_ascii(char byte, Span span) {
    bytes.push_back(byte);
    spans.push_back(span);
  }
  void push(char32_t code_point, Span span) {
    append_code_point(bytes, code_point);
    spans.resize(bytes.size(), span);
  }
  void append(AlignedText&& other) {
    if (bytes.empty()) {
      *this = std::move(other);
      return;
    }
    bytes += other.bytes;
    spans.insert(spans.end(), other.spans.begin(), other.spans.end());
  }
};

// Text as it came, its first character being number `first` of the original.
[[nodiscard]] inline AlignedText align(std::string_view valid_utf8, std::uint32_t first) {
  AlignedText text{std::string(valid_utf8), std::vector<Span>(valid_utf8.size())};
  std::uint32_t next = first;
  for (std::size_t i = 0; i < valid_utf8.size(); ++i) {
    if (starts_code_point(valid_utf8[i])) ++next;
    text.spans[i] = {next - 1, next};
  }
  return text;
}

// A stretch of bytes of a text: a piece for the model, or one that is a token already.
struct Piece {
  std::size_t begin = 0;
  std::size_t end = 0;
  std::int32_t token = kNone;
};

// A whole text on its way through the stages. Stages refine `pieces`; one that changes the text rewrites both.
struct Pieces {
  AlignedText text;
  std::vector<Piece> pieces;  // in order, none empty

  [[nodiscard]] std::string_view bytes_of(const Piece& piece) const noexcept {
    return std::string_view(text.bytes).substr(piece.begin, piece.end - piece.begin);
  }
  // Where the bytes [begin, end), not empty, came from.
  [[nodiscard]] Span span_of(std::size_t begin, std::size_t end) const noexcept {
    return {text.spans[begin].start, text.spans[end - 1].end};
  }
};

}  // namespace berth::text
