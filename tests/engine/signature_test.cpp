// How declared inputs and outputs map to a ragged batch.
#include "engine/signature.h"

#include <gmock/gmock.h>

#include "engine/engine_support.h"

namespace berth::engine {
namespace {

using graph::Dimension;
using graph::ElementType;
using graph::Value;
using State = OutputMapping::State;
using test::error_of;
using testing::HasSubstr;

Value ids(const std::string& name, std::vector<Dimension> shape = {"b", "s"}) {
  return {name, ElementType::i64, shape};
}

Signature signature_with(const Value& output, std::vector<Dimension> shape = {"b", "s"}) {
  return read_signature({ids("input_ids", shape), ids("attention_mask", shape)}, {output}, "m.onnx");
}

struct OutputCase {
  const char* name;
  std::vector<Dimension> input_shape;
  ElementType type;
  std::optional<std::vector<Dimension>> shape;
  State state;
  bool per_token;
  std::int64_t width;
};

TEST(Signature, MapsDeclaredOutputs) {
  const std::vector<Dimension> named{"b", "s"};
  const std::vector<Dimension> unnamed{"", ""};
  const std::vector<OutputCase> cases{
      {"class logits", named, ElementType::f32, {{"b", 2}}, State::mapped, false, 2},
      {"regression", named, ElementType::f32, {{"b"}}, State::mapped, false, 1},
      {"token logits", named, ElementType::f16, {{"b", "s", 9}}, State::mapped, true, 9},
      {"start logits", named, ElementType::f64, {{"b", "s"}}, State::mapped, true, 1},
      {"two axes", named, ElementType::f32, {{"b", "s", 3, 4}}, State::mapped, true, 12},
      {"attention", named, ElementType::f32, {{"b", 12, "s", "s"}}, State::unmapped, false, 1},
      {"integers", named, ElementType::i64, {{"b", 2}}, State::unmapped, false, 1},
      {"scalar", named, ElementType::f32, {std::vector<Dimension>{}}, State::unmapped, false, 1},
      {"other names", named, ElementType::f32, {{"x", "y", 3}}, State::unknown, false, 1},
      {"unnamed batch", unnamed, ElementType::f32, {{"", 2}}, State::unknown, false, 1},
      {"unknown width", named, ElementType::f32, {{"b", "s", "w"}}, State::unknown, true, 1},
      {"unknown rank", named, ElementType::f32, std::nullopt, State::unknown, false, 1},
      {"fixed", {2, 8}, ElementType::f32, {{2, 8, 3}}, State::mapped, true, 3},
      {"fixed classes", {2, 8}, ElementType::f32, {{2, 3}}, State::mapped, false, 3},
      {"fixed attention", {2, 8}, ElementType::f32, {{2, 4, 8, 8}}, State::mapped, false, 256},
  };
  for (const OutputCase& one : cases) {
    SCOPED_TRACE(one.name);
    const Signature signature = signature_with({"y", one.type, one.shape}, one.input_shape);
    EXPECT_FALSE(signature.obstacle);
    EXPECT_EQ(signature.mappings[0].state, one.state);
    if (one.state != State::mapped) continue;
    EXPECT_EQ(signature.mappings[0].layout.per_token, one.per_token);
    EXPECT_EQ(signature.mappings[0].layout.width(), one.width);
  }
}

TEST(Signature, ObservesWhatIsNotDeclared) {
  const auto state = [](const Shape& small, const Shape& large) {
    return observe(DType::f32, {2, 5, small}, {3, 7, large});
  };
  EXPECT_EQ(state({2, 5, 4}, {3, 7, 4}).state, State::mapped);
  EXPECT_TRUE(state({2, 5, 4}, {3, 7, 4}).layout.per_token);
  EXPECT_EQ(state({2, 5, 4}, {3, 7, 4}).layout.width(), 4);
  EXPECT_EQ(state({2, 5}, {3, 5}).state, State::mapped);  // five classes, not five tokens
  EXPECT_FALSE(state({2, 5}, {3, 5}).layout.per_token);
  EXPECT_EQ(state({2, 5, 5}, {3, 7, 7}).state, State::unmapped);
  EXPECT_EQ(state({5, 2}, {7, 3}).state, State::unmapped);
  EXPECT_EQ(state({}, {}).state, State::unmapped);
  EXPECT_EQ(state({2, 1}, {3}).state, State::unmapped);
}

TEST(Signature, SaysWhyABatchCannotBeFed) {
  const auto obstacle = [](std::vector<Value> inputs) {
    const Signature signature = read_signature(std::move(inputs), {}, "m.onnx");
    return std::string(signature.obstacle ? signature.obstacle->what() : "");
  };
  EXPECT_EQ(obstacle({ids("input_ids"), ids("attention_mask"), ids("token_type_ids"), ids("position_ids")}), "");
  EXPECT_EQ(obstacle({ids("input_ids")}), "m.onnx: has no input attention_mask, which a batch of texts needs");
  EXPECT_EQ(obstacle({ids("attention_mask")}), "m.onnx: has no input input_ids, which a batch of texts needs");
  EXPECT_EQ(obstacle({ids("input_ids"), ids("attention_mask"), ids("bbox", {"b", "s", 4})}),
            "m.onnx: has the input bbox: int64 [b, s, 4], which berth cannot fill from text");
  EXPECT_EQ(obstacle({{"input_ids", ElementType::f32, {{"b", ""}}}}),
            "m.onnx: has the input input_ids: float32 [b, ?], expected int64 or int32 [batch, sequence]");
}

TEST(Signature, SelectsByName) {
  Signature signature = signature_with({"logits", ElementType::f32, {{"b", 2}}});
  signature.outputs.push_back({"attention", ElementType::f32, {{"b", 2, "s", "s"}}});
  signature.mappings.push_back({});
  EXPECT_EQ(select_mapped(signature, {}, "m.onnx"), std::vector<std::size_t>{0});
  const std::vector<std::string> wrong{"logit"};
  const Error missing = error_of([&] { static_cast<void>(select_mapped(signature, wrong, "m.onnx")); });
  EXPECT_EQ(missing.kind(), ErrorKind::not_found);
  EXPECT_STREQ(missing.what(), "m.onnx: has no 'logit'; it has logits, attention");
  const std::vector<std::string> square{"attention"};
  const Error unmapped = error_of([&] { static_cast<void>(select_mapped(signature, square, "m.onnx")); });
  EXPECT_EQ(unmapped.kind(), ErrorKind::unsupported);
  EXPECT_THAT(unmapped.what(), HasSubstr("attention: float32 [b, 2, s, s]"));
}

}  // namespace
}  // namespace berth::engine
