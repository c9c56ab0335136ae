// Cutting a ragged batch into padded micro-batches: pure functions, nothing of ONNX Runtime.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "berth/engine.h"

namespace berth::engine {

// Sequences order[first] … order[first + count - 1] of the plan, each padded to `length`; `rows` ≥ count are run.
struct MicroBatch {
  std::size_t first = 0;
  std::size_t count = 0;
  std::size_t rows = 0;
  std::size_t length = 0;
};

struct Plan {
  std::vector<std::size_t> order;  // sequences by falling length, ties as they came
  std::vector<MicroBatch> micro_batches;
};

// What a graph leaves open: 0 where it takes any size.
struct FixedShape {
  std::size_t batch = 0;
  std::size_t sequence = 0;
};

// Throws Error{invalid_input} unless the offsets and lengths fit together, every sequence has a token and no id is
// negative; Error{limit} for a sequence longer than a fixed shape.
void check(const Batch& batch, const FixedShape& fixed);

// About what a Run costs beside its tokens, in tokens (bench/engine_bench.cpp).
inline constexpr std::size_t kRunCost = 16;

// Cuts so that the padded tokens of all micro-batches, plus kRunCost for each Run, are as few as can be (an optimum
// over the sorted order by dynamic programming), with at most `tokens` padded tokens in each; a longer sequence runs
// alone.
[[nodiscard]] Plan plan_micro_batches(std::span<const std::int64_t> offsets, std::size_t tokens,
                                      const FixedShape& fixed);

// The fields of BERT's inputs, row-major [rows, length], padded on the right with zeros. Rows beyond `count` have
// attention on their first token only: a row without any can give NaN. T: std::int64_t or std::int32_t.
enum class Field { ids, mask, type_ids, position_ids };

template <typename T>
void fill(Field field, const Batch& batch, const Plan& plan, const MicroBatch& micro_batch, T* out);

extern template void fill(Field, const Batch&, const Plan&, const MicroBatch&, std::int64_t*);
extern template void fill(Field, const Batch&, const Plan&, const MicroBatch&, std::int32_t*);

}  // namespace berth::engine
