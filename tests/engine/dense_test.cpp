// The second door's checks.
#include "engine/dense.h"

#include "engine/engine_support.h"

namespace berth::engine {
namespace {

using graph::ElementType;
using test::error_of;

const std::vector<graph::Value> kInputs{{"ids", ElementType::i64, {{"batch", "sequence"}}},
                                        {"mask", ElementType::i64, {{"batch", "sequence"}}},
                                        {"scale", ElementType::f32, {{1, ""}}}};

std::vector<DenseTensor> fitting() {
  const std::vector<std::int64_t> values(6, 1);
  const std::vector<float> scale{2};
  return {dense("ids", {2, 3}, values), dense("mask", {2, 3}, values), dense("scale", {1, 1}, scale)};
}

TEST(DenseTensor, OwnsItsValues) {
  const std::vector<std::int64_t> values{1, 2};
  const DenseTensor tensor = dense("ids", {1, 2}, values);
  EXPECT_EQ(tensor.dtype, DType::i64);
  EXPECT_EQ(tensor.data.size(), 16U);
  EXPECT_STREQ(error_of([&] { static_cast<void>(dense("ids", {3}, values)); }).what(),
               "ids: has 2 values, and its shape is [3]");
}

TEST(CheckDense, AcceptsWhatFits) { EXPECT_NO_THROW(check(fitting(), kInputs)); }

TEST(CheckDense, NamesFoundAndExpected) {
  struct Case {
    const char* message;
    void (*spoil)(std::vector<DenseTensor>&);
  };
  const std::vector<Case> cases{
      {"mask: is missing, expected mask: int64 [batch, sequence]", [](auto& t) { t.erase(t.begin() + 1); }},
      {"ids: is given twice", [](auto& t) { t[1].name = "ids"; }},
      {"inputs: has no 'id'; it has ids, mask, scale", [](auto& t) { t[0].name = "id"; }},
      {"ids: is int32, expected ids: int64 [batch, sequence]", [](auto& t) { t[0].dtype = DType::i32; }},
      {"ids: has the shape [6], expected ids: int64 [batch, sequence]", [](auto& t) { t[0].shape = {6}; }},
      {"scale: has the shape [2, 1], expected scale: float32 [1, ?]",
       [](auto& t) {
         t[2].shape = {2, 1};
       }},
      {"mask: has batch 3, expected 2 as in ids",
       [](auto& t) {
         t[1].shape = {3, 2};
       }},
      {"ids: has 40 bytes, expected 48 for I64 [2, 3]", [](auto& t) { t[0].data.resize(40); }},
      {"ids: has the shape [-2, -3], expected no negative size",
       [](auto& t) {
         t[0].shape = {-2, -3};
       }},
  };
  for (const Case& one : cases) {
    std::vector<DenseTensor> tensors = fitting();
    one.spoil(tensors);
    EXPECT_STREQ(error_of([&] { check(tensors, kInputs); }).what(), one.message);
  }
}

TEST(CheckDense, RefusesAShapeThatOverflows) {
  std::vector<DenseTensor> tensors = fitting();
  tensors[0].shape = tensors[1].shape = {std::int64_t{1} << 40, std::int64_t{1} << 40};
  EXPECT_EQ(error_of([&] { check(tensors, kInputs); }).kind(), ErrorKind::limit);
}

}  // namespace
}  // namespace berth::engine
