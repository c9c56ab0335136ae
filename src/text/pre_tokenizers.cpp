// The kinds of pre-tokenizer.
#include "text/pre_tokenizers.h"

#include "text/unicode.h"

namespace berth::text {

void pre_tokenize(std::monostate, Pieces&) {}

void pre_tokenize(const BertPreTokenizer&, Pieces& pieces) {
  const unicode::PropertyTable& unicode = unicode::properties();
  const std::string_view text = pieces.text.bytes;
  std::vector<Piece> words;
  words.reserve(text.size() / 4);
  for (const Piece& piece : pieces.pieces) {
    if (piece.token != kNone) {
      words.push_back(piece);
      continue;
    }
    std::size_t start = piece.begin;
    const auto end_word = [&](std::size_t end) {
      if (start < end) words.push_back({start, end, kNone});
    };
    for (std::size_t at = piece.begin; at < piece.end;) {
      const auto [code_point, bytes] = code_point_at(text, at);
      const std::uint16_t properties = unicode.of(code_point);
      if ((properties & (unicode::kWhitespace | unicode::kPunctuation)) != 0) {
        end_word(at);
        if ((properties & unicode::kPunctuation) != 0) words.push_back({at, at + bytes, kNone});
        start = at + bytes;
      }
      at += bytes;
    }
    end_word(piece.end);
  }
  pieces.pieces = std::move(words);
}

void pre_tokenize(const PreTokenizer& pre_tokenizer, Pieces& pieces) {
  std::visit([&](const auto& kind) { pre_tokenize(kind, pieces); }, pre_tokenizer);
}

}  // namespace berth::text
