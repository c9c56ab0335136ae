// BertNormalizer in one pass: each code point is cleaned, spaced, decomposed, stripped and made small in turn, which
// gives what the reference's five passes over the text give, because none of the steps looks at its neighbours
// (the order of combining marks is the decomposer's business).
#include "text/canonical_decomposer.h"
#include "text/normalizers.h"

namespace berth::text {
namespace {

class Pass {
 public:
  Pass(const BertNormalizer& options, std::size_t size)
      : options_(options), strips_(options.strip_accents.value_or(options.lowercase)), decomposer_(Last{this}) {
    out_.reserve(size);
  }

  AlignedText run(const AlignedText& text) {
    for (std::size_t at = 0; at < text.size();) {
      if (is_ascii(text.bytes[at])) {
        decomposer_.flush();
        put_ascii(text.bytes[at], text.spans[at]);
        ++at;
      } else {
        const auto [code_point, bytes] = code_point_at(text.bytes, at);
        clean(code_point, text.spans[at]);
        at += bytes;
      }
    }
    decomposer_.flush();
    return std::move(out_);
  }

 private:
  struct Last {
    Pass* pass;
    void operator()(char32_t code_point, Span span) const { pass->strip_and_lowercase(code_point, span); }
  };

  // ASCII has no accents and does not decompose.
  void put_ascii(char byte, Span span) {
    if (options_.clean_text) {
      const std::uint16_t properties = unicode_.of(static_cast<unsigned char>(byte));
      if ((properties & unicode::kCleanRemoved) != 0) return;
      if ((properties & unicode::kCleanToSpace) != 0) byte = ' ';
    }
    if (options_.lowercase && byte >= 'A' && byte <= 'Z') byte = static_cast<char>(byte - 'A' + 'a');
    out_.push_ascii(byte, span);
  }

  void clean(char32_t code_point, Span span) {
    const std::uint16_t properties = unicode_.of(code_point);
    if (options_.clean_text && (properties & (unicode::kCleanRemoved | unicode::kCleanToSpace)) != 0) {
      if ((properties & unicode::kCleanToSpace) != 0) decompose(' ', 0, span);
    } else if (options_.handle_chinese_chars && (properties & unicode::kIdeograph) != 0) {
      decompose(' ', 0, span);
      decompose(code_point, properties, span);
      decompose(' ', 0, span);
    } else {
      decompose(code_point, properties, span);
    }
  }

  void decompose(char32_t code_point, std::uint16_t properties, Span span) {
    if (strips_) {
      decomposer_.put(code_point, properties, span);
    } else {
      strip_and_lowercase(code_point, span);
    }
  }

  void strip_and_lowercase(char32_t code_point, Span span) {
    const std::uint16_t properties = unicode_.of(code_point);
    if (strips_ && (properties & unicode::kAccent) != 0) return;
    if (options_.lowercase && (properties & unicode::kHasLowercase) != 0) {
      for (const char32_t small : unicode::lowercase_of(code_point)) out_.push(small, span);
    } else {
      out_.push(code_point, span);
    }
  }

  const unicode::PropertyTable& unicode_ = unicode::properties();
  const BertNormalizer& options_;
  const bool strips_;
  AlignedText out_;
  CanonicalDecomposer<Last> decomposer_;
};

}  // namespace

AlignedText normalize(const BertNormalizer& normalizer, const AlignedText& text) {
  return Pass(normalizer, text.size()).run(text);
}

}  // namespace berth::text
