// Disentangled attention (He et al. 2020 and 2021): content against content, content against distance ("c2p") and
// distance against content ("p2c"), each scaled by √(d · number of kinds). Both sides must be seen: a token that the
// mask hides attends to all alike. The projections of the distances' embeddings are constants of the graph; ORT folds
// them when it loads.
#include <utility>

#include "encoder/attention.h"
#include "encoder/buckets.h"
#include "encoder/distances.h"
#include "encoder/operators.h"

namespace berth::encoder {
namespace {

using checkpoint::DisentangledAttention;
using Integers = std::vector<std::int64_t>;

constexpr const char* kScope = "/disentangled";

// What all layers share; empty where no distance counts.
struct Relative {
  std::string rows;        // embeddings of the distances: [2 · span, hidden]
  std::string of_queries;  // indices for pick()
  std::string of_keys;
};

Relative prepare_relative(const BlockContext& context) {
  GraphBuilder& builder = context.builder;
  const DisentangledAttention& own = *context.config.disentangled;
  Relative relative;
  if (!own.relative || !(own.content_to_position || own.position_to_content)) return relative;
  relative.rows = builder.weight(context.family.encoder.distances);
  if (own.norm_distances) relative.rows = layer_norm(context, context.family.encoder.distances_norm, relative.rows);
  const std::string column = by_distance(context, kScope, distances(context, kScope),
                                         [&](std::int64_t distance) { return deberta_row(distance, own); });
  const std::string width = builder.scalar("distance_rows", 2 * own.span());
  if (own.content_to_position) relative.of_queries = flat_index(context, kScope, RowOf::query, column, width);
  if (own.position_to_content) relative.of_keys = flat_index(context, kScope, RowOf::key, column, width);
  return relative;
}

class DisentangledScores : public Scores {
 public:
  DisentangledScores(std::string bias, Relative relative) : bias_(std::move(bias)), relative_(std::move(relative)) {}

  [[nodiscard]] std::string of(const BlockContext& context, const LayerScope& layer, const std::string& query,
                               const std::string& key) const override {
    GraphBuilder& builder = context.builder;
    const DisentangledAttention& own = *context.config.disentangled;
    const LayerLayout& names = context.family.layer;
    const std::string& scope = layer.scope;
    const std::string q = split_heads(context, scope, query);
    std::string sum = builder.add("MatMul", scope, {q, split_heads_transposed(context, scope, key)});
    if (!relative_.of_queries.empty()) {
      const std::string columns = columns_of(context, layer, own.share_keys ? names.key : names.distance_keys);
      const std::string scores = builder.add("MatMul", scope, {q, columns});
      sum = builder.add("Add", scope, {sum, pick(context, scope, scores, relative_.of_queries)});
    }
    if (!relative_.of_keys.empty()) {
      const std::string columns = columns_of(context, layer, own.share_keys ? names.query : names.distance_queries);
      const std::string scores = builder.add("MatMul", scope, {split_heads(context, scope, key), columns});
      sum = builder.add("Add", scope, {sum, pick(context, scope, scores, relative_.of_keys)});
    }
    const std::int64_t kinds = 1 + (own.content_to_position ? 1 : 0) + (own.position_to_content ? 1 : 0);
    return builder.add("Add", scope, {scale(context, scope, sum, kinds), bias_});
  }

 private:
  // The distances' embeddings through a dense layer, by heads, as columns: [heads, width of a head, 2 · span].
  [[nodiscard]] std::string columns_of(const BlockContext& context, const LayerScope& layer,
                                       std::string_view module) const {
    GraphBuilder& builder = context.builder;
    const std::string projected = dense(context, layer.module(module), relative_.rows);
    const std::int64_t width = context.config.hidden_size / context.config.heads;
    const std::string shape = builder.vector("distance_heads_shape", {0, context.config.heads, width});
    const std::string by_head = builder.add("Reshape", layer.scope, {projected, shape});
    return builder.add("Transpose", layer.scope, {by_head}, {{"perm", Integers{1, 2, 0}}});
  }

  std::string bias_;
  Relative relative_;
};

}  // namespace

std::unique_ptr<Scores> prepare_disentangled(const BlockContext& context) {
  GraphBuilder& builder = context.builder;
  const std::string visible = visible_tokens(context);
  const std::string keys = unsqueeze(builder, kScope, visible, {1, 2});
  const std::string queries = unsqueeze(builder, kScope, visible, {1, 3});
  const std::string both = builder.add("Mul", kScope, {queries, keys});
  return std::make_unique<DisentangledScores>(bias_of_visible(context, kScope, both), prepare_relative(context));
}

}  // namespace berth::encoder
