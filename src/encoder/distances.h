// How far tokens are from each other, as ONNX nodes, and scores that depend on it.
#pragma once

#include <functional>
#include <string>

#include "encoder/blocks.h"

namespace berth::encoder {

// i - j for query token i and key token j: [sequence, sequence].
std::string distances(const BlockContext& context, const std::string& scope);

// A number for each distance, by a table of all that the model's longest text has: [sequence, sequence].
std::string by_distance(const BlockContext& context, const std::string& scope, const std::string& distances,
                        const std::function<std::int64_t(std::int64_t distance)>& value);

// Where (i, j) finds its score in rows of `width` scores, row after row, of which it wants `column`[i, j]: of the
// query's row, or of the key's.
enum class RowOf { query, key };
std::string flat_index(const BlockContext& context, const std::string& scope, RowOf row, const std::string& column,
                       const std::string& width);

// [batch, heads, tokens, width] to [batch, heads, sequence, sequence] by such an index. One Gather along a flattened
// axis needs no index a batch and head, as GatherElements does.
std::string pick(const BlockContext& context, const std::string& scope, const std::string& scores,
                 const std::string& index);

}  // namespace berth::encoder
