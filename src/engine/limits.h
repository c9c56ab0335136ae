// What a model made by berth says of itself in its metadata (graph::kMaxTokensKey, kVocabularyKey), held against inputs
// before the runtime sees them: it would fail somewhere inside the graph, or not at all.
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "berth/engine.h"
#include "engine/ort.h"

namespace berth::engine {

struct ModelLimits {
  std::int64_t max_tokens = 0;  // of a sequence; 0: the model does not say
  std::int64_t vocabulary = 0;  // every id is below it; 0: the model does not say
};

[[nodiscard]] ModelLimits read_limits(const Ort::Session& session);

// Throw Error{limit} or Error{invalid_input} with `where`, what was found and what the model takes.
void check(const Batch& batch, const ModelLimits& limits, const std::string& where);
void check(std::span<const DenseTensor> inputs, const ModelLimits& limits, const std::string& where);

}  // namespace berth::engine
