// The parts that all kinds of attention share, and the plain kind.
#include "encoder/attention.h"

#include <cmath>
#include <limits>
#include <utility>

#include "berth/error.h"
#include "encoder/operators.h"

namespace berth::encoder {
namespace {

using Integers = std::vector<std::int64_t>;

constexpr std::int64_t kLastAxis = -1;

// A 0 in Reshape's shape keeps the dimension, so that no length need be computed.
std::string split(const BlockContext& context, const std::string& scope, const std::string& x, Integers permutation) {
  GraphBuilder& builder = context.builder;
  const std::int64_t width = context.config.hidden_size / context.config.heads;
  const std::string shape = builder.vector("split_heads_shape", {0, 0, context.config.heads, width});
  const std::string parts = builder.add("Reshape", scope, {x, shape});
  return builder.add("Transpose", scope, {parts}, {{"perm", std::move(permutation)}});
}

std::string merge_heads(const BlockContext& context, const std::string& scope, const std::string& x) {
  GraphBuilder& builder = context.builder;
  const std::string tokens_first = builder.add("Transpose", scope, {x}, {{"perm", Integers{0, 2, 1, 3}}});
  const std::string shape = builder.vector("merge_heads_shape", {0, 0, context.config.hidden_size});
  return builder.add("Reshape", scope, {tokens_first, shape});
}

// Q·Kᵀ / √d + bias. The division stays a node of its own: folded into the query's weights it would round differently,
// and the weights could no longer be views on the checkpoint.
class PlainScores : public Scores {
 public:
  explicit PlainScores(std::string bias) : bias_(std::move(bias)) {}

  [[nodiscard]] std::string of(const BlockContext& context, const LayerScope& layer, const std::string& query,
                               const std::string& key) const override {
    GraphBuilder& builder = context.builder;
    const std::string q = split_heads(context, layer.scope, query);
    const std::string k = split_heads_transposed(context, layer.scope, key);
    const std::string scores = scale(context, layer.scope, builder.add("MatMul", layer.scope, {q, k}));
    return builder.add("Add", layer.scope, {scores, bias_});
  }

 private:
  std::string bias_;
};

}  // namespace

std::unique_ptr<Scores> plain_scores(std::string bias) { return std::make_unique<PlainScores>(std::move(bias)); }

std::unique_ptr<Scores> prepare_plain(const BlockContext& context) { return plain_scores(mask_bias(context)); }

std::unique_ptr<Scores> prepare_scores(const BlockContext& context) {
  switch (attention_of(context.family, context.config)) {
    case Attention::plain: return prepare_plain(context);
    case Attention::relative_key:
    case Attention::relative_key_query: return prepare_relative_key(context);
    case Attention::relative_bias: return prepare_relative_bias(context);
    case Attention::disentangled: return prepare_disentangled(context);
    case Attention::rotary: return prepare_rotary(context);
  }
  throw Error(ErrorKind::internal, "", "a family attends in an unknown way");
}

std::string self_attention(const BlockContext& context, const Scores& scores, const LayerScope& layer,
                           const std::string& x) {
  GraphBuilder& builder = context.builder;
  const LayerLayout& names = context.family.layer;
  std::vector<std::string> parts;
  if (names.query_key_value.empty()) {
    for (const auto name : {names.query, names.key, names.value}) parts.push_back(dense(context, layer.module(name), x));
  } else {
    const std::string all = dense(context, layer.module(names.query_key_value), x);
    parts = split_last(builder, layer.scope, all, 3, context.config.hidden_size);
  }
  const std::string weights =
      builder.add("Softmax", layer.scope, {scores.of(context, layer, parts[0], parts[1])}, {{"axis", kLastAxis}});
  const std::string value = split_heads(context, layer.scope, parts[2]);
  const std::string attended = builder.add("MatMul", layer.scope, {weights, value});
  return dense(context, layer.module(names.attention_output), merge_heads(context, layer.scope, attended));
}

// The bias as Transformers computes it: float's lowest number where the mask is 0. Added to a score it absorbs it, so
// that a row which sees nothing attends to all alike; minus infinity would make it NaN.
std::string bias_of_visible(const BlockContext& context, const std::string& scope, const std::string& visible) {
  GraphBuilder& builder = context.builder;
  const std::string hidden = builder.add("Sub", scope, {builder.scalar("one", 1.0F), visible});
  return builder.add("Mul", scope, {hidden, builder.scalar("lowest", std::numeric_limits<float>::lowest())});
}

std::string mask_bias(const BlockContext& context) {
  const std::string scope = "/attention_bias";
  return bias_of_visible(context, scope, unsqueeze(context.builder, scope, visible_tokens(context), {1, 2}));
}

std::string split_heads(const BlockContext& context, const std::string& scope, const std::string& x) {
  return split(context, scope, x, {0, 2, 1, 3});
}

std::string split_heads_transposed(const BlockContext& context, const std::string& scope, const std::string& x) {
  return split(context, scope, x, {0, 2, 3, 1});
}

std::string scale(const BlockContext& context, const std::string& scope, const std::string& scores,
                  std::int64_t factor) {
  const std::int64_t width = context.config.hidden_size / context.config.heads;
  const double root = std::sqrt(static_cast<double>(width * factor));
  return context.builder.add("Div", scope, {scores, context.builder.scalar("score_scale", static_cast<float>(root))});
}

}  // namespace berth::encoder
