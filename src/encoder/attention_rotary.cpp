// Queries and keys turned by angles that grow with their position (Su et al. 2021), in most layers with a window
// around each query (Beltagy et al. 2020). The tables of cosines and sines are computed in double precision.
#include <cmath>
#include <utility>

#include "encoder/attention.h"
#include "encoder/distances.h"
#include "encoder/operators.h"

namespace berth::encoder {
namespace {

using checkpoint::RotaryAttention;
using Integers = std::vector<std::int64_t>;

constexpr const char* kScope = "/rotary";

// [sequence, half the width of a head].
struct Turn {
  std::string cosines;
  std::string sines;
};

// How layers of one sort attend.
struct Sort {
  Turn turn;
  std::string bias;
};

std::string first_positions(const BlockContext& context, const std::string& table) {
  GraphBuilder& builder = context.builder;
  const std::string zero = builder.vector("zero", {0});
  return builder.add("Slice", kScope, {table, zero, sequence_length(context), zero});
}

// Position p turns pair i by p · θ^(-2i / d).
Turn prepare_turn(const BlockContext& context, const std::string& name, double theta) {
  const std::int64_t positions = context.sequence_length.value_or(context.config.max_positions);
  const std::int64_t width = context.config.hidden_size / context.config.heads;
  std::vector<float> cosines;
  std::vector<float> sines;
  for (std::int64_t position = 0; position < positions; ++position) {
    for (std::int64_t pair = 0; pair < width / 2; ++pair) {
      const double exponent = -2.0 * static_cast<double>(pair) / static_cast<double>(width);
      const double angle = static_cast<double>(position) * std::pow(theta, exponent);
      cosines.push_back(static_cast<float>(std::cos(angle)));
      sines.push_back(static_cast<float>(std::sin(angle)));
    }
  }
  const Shape shape{positions, width / 2};
  const std::string cosine_table = context.builder.table(name + "_cosines", std::move(cosines), shape);
  const std::string sine_table = context.builder.table(name + "_sines", std::move(sines), shape);
  return {first_positions(context, cosine_table), first_positions(context, sine_table)};
}

// The pairs of a head are its first and second half, not neighbours.
std::string turned(const BlockContext& context, const std::string& scope, const std::string& x, const Turn& turn) {
  GraphBuilder& builder = context.builder;
  const std::int64_t width = context.config.hidden_size / context.config.heads;
  const std::vector<std::string> halves = split_last(builder, scope, x, 2, width / 2);
  const auto times = [&](const std::string& half, const std::string& factor) {
    return builder.add("Mul", scope, {half, factor});
  };
  const std::string first =
      builder.add("Sub", scope, {times(halves[0], turn.cosines), times(halves[1], turn.sines)});
  const std::string second =
      builder.add("Add", scope, {times(halves[1], turn.cosines), times(halves[0], turn.sines)});
  return builder.add("Concat", scope, {first, second}, {{"axis", std::int64_t{-1}}});
}

// Not added to the mask's bias: the sum of two lowest numbers would be infinite.
std::string window_bias(const BlockContext& context, const std::string& bias) {
  GraphBuilder& builder = context.builder;
  const std::string apart = builder.add("Abs", kScope, {distances(context, kScope)});
  const std::string reach = builder.scalar("first_unseen", context.config.rotary->window / 2 + 1);
  const std::string near = cast(builder, kScope, builder.add("Less", kScope, {apart, reach}), graph::ElementType::f32);
  return builder.add("Min", kScope, {bias, bias_of_visible(context, kScope, near)});
}

class RotaryScores : public Scores {
 public:
  RotaryScores(Sort global, Sort local) : global_(std::move(global)), local_(std::move(local)) {}

  [[nodiscard]] std::string of(const BlockContext& context, const LayerScope& layer, const std::string& query,
                               const std::string& key) const override {
    GraphBuilder& builder = context.builder;
    const std::string& scope = layer.scope;
    const Sort& sort = is_local(*context.config.rotary, layer.index) ? local_ : global_;
    const std::string q = turned(context, scope, split_heads(context, scope, query), sort.turn);
    const std::string k = turned(context, scope, split_heads(context, scope, key), sort.turn);
    const std::string k_transposed = builder.add("Transpose", scope, {k}, {{"perm", Integers{0, 1, 3, 2}}});
    const std::string scores = scale(context, scope, builder.add("MatMul", scope, {q, k_transposed}));
    return builder.add("Add", scope, {scores, sort.bias});
  }

 private:
  Sort global_;
  Sort local_;
};

}  // namespace

std::unique_ptr<Scores> prepare_rotary(const BlockContext& context) {
  const RotaryAttention& own = *context.config.rotary;
  Sort global{prepare_turn(context, "global", own.global_theta), mask_bias(context)};
  Sort local{prepare_turn(context, "local", own.local_theta), window_bias(context, global.bias)};
  return std::make_unique<RotaryScores>(std::move(global), std::move(local));
}

}  // namespace berth::encoder
