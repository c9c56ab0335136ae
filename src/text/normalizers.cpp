// Hands a text to the normalizer that a tokenizer has.
#include "text/normalizers.h"

#include <utility>

namespace berth::text {

AlignedText normalize(std::monostate, AlignedText text) { return text; }

AlignedText normalize(const Normalizer& normalizer, AlignedText text) {
  return std::visit([&text](const auto& kind) { return normalize(kind, std::move(text)); }, normalizer);
}

}  // namespace berth::text
