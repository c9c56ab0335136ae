// Hands a text to the normalizer that a tokenizer has.
#include "text/normalizers.h"

#include <utility>

namespace berth::text {

AlignedText normalize(const Normalizer& normalizer, AlignedText text) {
  if (std::holds_alternative<std::monostate>(normalizer)) return text;
  return std::visit(
      [&text]<typename Kind>(const Kind& kind) -> AlignedText {
        if constexpr (std::is_same_v<Kind, std::monostate>) {
          return std::move(text);
        } else {
          return normalize(kind, text);
        }
      },
      normalizer);
}

}  // namespace berth::text
