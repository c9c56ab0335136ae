// A vector for each distance, multiplied with the query (Shaw et al. 2018), or with query and key (Huang et al. 2020):
// (q·k + q·e + k·e) / √d. Only the rows of distances that a text of this length has take part.
#include <utility>

#include "encoder/attention.h"
#include "encoder/distances.h"
#include "encoder/operators.h"

namespace berth::encoder {
namespace {

constexpr const char* kScope = "/relative_key";

using Integers = std::vector<std::int64_t>;

struct Window {
  std::string start;       // first row of the distances' table, [1]
  std::string end;         // one past the last, [1]
  std::string of_queries;  // indices for pick()
  std::string of_keys;     // empty where keys do not take part
};

// A text of n tokens has distances 1 - n … n - 1; distance 0 is row max_positions - 1.
Window prepare_window(const BlockContext& context) {
  GraphBuilder& builder = context.builder;
  const std::string length = sequence_length(context);
  const std::string positions = builder.vector("max_positions", {context.config.max_positions});
  const std::string one = builder.vector("one_position", {1});
  Window window;
  window.start = builder.add("Sub", kScope, {positions, length});
  const std::string furthest = builder.add("Sub", kScope, {length, one});
  window.end = builder.add("Add", kScope, {positions, furthest});
  const std::string width = builder.add("Add", kScope, {length, furthest});
  const std::string column = builder.add("Add", kScope, {distances(context, kScope), furthest});
  window.of_queries = flat_index(context, kScope, RowOf::query, column, width);
  if (attention_of(context.family, context.config) == Attention::relative_key_query) {
    window.of_keys = flat_index(context, kScope, RowOf::key, column, width);
  }
  return window;
}

class RelativeKeyScores : public Scores {
 public:
  RelativeKeyScores(std::string bias, Window window) : bias_(std::move(bias)), window_(std::move(window)) {}

  [[nodiscard]] std::string of(const BlockContext& context, const LayerScope& layer, const std::string& query,
                               const std::string& key) const override {
    GraphBuilder& builder = context.builder;
    const std::string& scope = layer.scope;
    const std::string q = split_heads(context, scope, query);
    const std::string k = split_heads_transposed(context, scope, key);
    const std::string table = distance_columns(context, layer);
    const std::string products = builder.add("MatMul", scope, {q, k});
    std::string relative = pick(context, scope, builder.add("MatMul", scope, {q, table}), window_.of_queries);
    if (!window_.of_keys.empty()) {
      const std::string rows = split_heads(context, scope, key);
      const std::string of_keys = pick(context, scope, builder.add("MatMul", scope, {rows, table}), window_.of_keys);
      relative = builder.add("Add", scope, {relative, of_keys});
    }
    const bool scaled_alone = context.family.relative_key_unscaled;
    const std::string scores =
        scaled_alone ? builder.add("Add", scope, {scale(context, scope, products), relative})
                     : scale(context, scope, builder.add("Add", scope, {products, relative}));
    return builder.add("Add", scope, {scores, bias_});
  }

 private:
  // The vectors of the distances in use, as columns: [width of a head, 2 · sequence - 1].
  [[nodiscard]] std::string distance_columns(const BlockContext& context, const LayerScope& layer) const {
    GraphBuilder& builder = context.builder;
    const std::string rows = builder.weight(layer.module(context.family.layer.distances));
    const std::string axis = builder.vector("zero", {0});
    const std::string used = builder.add("Slice", layer.scope, {rows, window_.start, window_.end, axis});
    return builder.add("Transpose", layer.scope, {used}, {{"perm", Integers{1, 0}}});
  }

  std::string bias_;
  Window window_;
};

}  // namespace

std::unique_ptr<Scores> prepare_relative_key(const BlockContext& context) {
  return std::make_unique<RelativeKeyScores>(mask_bias(context), prepare_window(context));
}

}  // namespace berth::encoder
