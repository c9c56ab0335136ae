// Canonical decomposition (NFD), one code point at a time, with the alignment that `tokenizers` gives it.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "berth/text.h"
#include "text/unicode.h"

namespace berth::text {

// Calls sink(code point, span) for each code point of the decomposed text. Combining marks wait for the next
// character that does not combine, because only then their order is known (Unicode standard, chapter 3.11).
template <typename Sink>
class CanonicalDecomposer {
 public:
  explicit CanonicalDecomposer(Sink sink) : sink_(sink) {}

  void put(char32_t code_point, std::uint16_t properties, Span span) {
    if ((properties & (unicode::kDecomposes | unicode::kCombines)) == 0) {
      flush();
      sink_(code_point, span);
    } else if ((properties & unicode::kDecomposes) == 0) {
      put_part(code_point, span, false);
    } else if (code_point >= kSyllableBase && code_point < kSyllableBase + kSyllables) {
      put_syllable(code_point, span);
    } else {
      bool inserted = false;
      for (const char32_t part : unicode::decomposition_of(code_point)) {
        put_part(part, span, inserted);
        inserted = true;
      }
    }
  }

  void flush() {
    if (marks_.empty()) return;
    const auto by_class = [](const Mark& a, const Mark& b) { return a.combining_class < b.combining_class; };
    if (!std::is_sorted(marks_.begin(), marks_.end(), by_class)) sort_marks(by_class);
    for (const Mark& mark : marks_) sink_(mark.code_point, mark.span);
    marks_.clear();
  }

 private:
  // Hangul syllables decompose by a rule (Unicode standard, chapter 3.12).
  static constexpr char32_t kSyllableBase = 0xAC00;
  static constexpr char32_t kLeadBase = 0x1100;
  static constexpr char32_t kVowelBase = 0x1161;
  static constexpr char32_t kTailBase = 0x11A7;
  static constexpr char32_t kVowels = 21;
  static constexpr char32_t kTails = 28;
  static constexpr char32_t kSyllables = 19 * kVowels * kTails;

  struct Mark {
    char32_t code_point;
    std::uint8_t combining_class;
    bool inserted;  // not the first part of what it came from
    Span span;
  };

  void put_part(char32_t code_point, Span span, bool inserted) {
    const std::uint8_t combining_class = unicode::combining_class_of(code_point);
    if (combining_class == 0) {
      flush();
      sink_(code_point, span);
    } else {
      marks_.push_back({code_point, combining_class, inserted, span});
    }
  }

  void put_syllable(char32_t code_point, Span span) {
    const char32_t index = code_point - kSyllableBase;
    flush();
    sink_(kLeadBase + index / (kVowels * kTails), span);
    sink_(kVowelBase + index % (kVowels * kTails) / kTails, span);
    if (index % kTails != 0) sink_(kTailBase + index % kTails, span);
  }

  // The reference aligns by position: in the new order, a mark that replaces takes the span of the next original
  // character, and one that was inserted repeats the span before it.
  template <typename Order>
  void sort_marks(const Order& by_class) {
    std::vector<Span> originals;
    for (const Mark& mark : marks_) {
      if (!mark.inserted) originals.push_back(mark.span);
    }
    Span span = marks_.front().span;
    std::stable_sort(marks_.begin(), marks_.end(), by_class);
    std::size_t next = 0;
    for (Mark& mark : marks_) {
      if (!mark.inserted) span = originals[next++];
      mark.span = span;
    }
  }

  Sink sink_;
  std::vector<Mark> marks_;
};

}  // namespace berth::text
