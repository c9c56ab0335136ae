// Which bucket a distance (query's position less key's) falls into, for the graph's tables. Logarithms are taken in
// single precision as PyTorch takes them, since a bucket's edge depends on their rounding.
#pragma once

#include <cstdint>

#include "berth/checkpoint.h"

namespace berth::encoder {

// T5's rule as MPNet has it (Raffel et al. 2020): 32 buckets, 0 … 31, with all distances from 128 on in the last.
[[nodiscard]] std::int64_t mpnet_bucket(std::int64_t distance);

// DeBERTa's (He et al. 2021): the row of the distances' embeddings, 0 … 2 · span() - 1.
[[nodiscard]] std::int64_t deberta_row(std::int64_t distance, const checkpoint::DisentangledAttention& own);

}  // namespace berth::encoder
