// The error type, and arithmetic that becomes one.
#include "berth/error.h"

#include <cstdint>
#include <gmock/gmock.h>
#include <set>

#include "base/checked.h"

namespace berth {
namespace {

TEST(Error, SaysWhereAndWhat) {
  const Error error(ErrorKind::mismatch, "model.safetensors: classifier.weight", "has shape [2, 8], expected [3, 8]",
                    "is this the right checkpoint?");
  EXPECT_STREQ(error.what(), "model.safetensors: classifier.weight: has shape [2, 8], expected [3, 8]");
  EXPECT_EQ(error.hint(), "is this the right checkpoint?");
}

TEST(Error, WithoutAPlaceIsItsMessage) {
  EXPECT_STREQ(Error(ErrorKind::cancelled, "", "interrupted").what(), "interrupted");
}

TEST(Error, EveryKindHasItsOwnName) {
  std::set<std::string_view> names;
  for (int kind = 0; kind <= static_cast<int>(ErrorKind::internal); ++kind) {
    names.insert(name_of(static_cast<ErrorKind>(kind)));
  }
  EXPECT_EQ(names.size(), static_cast<std::size_t>(ErrorKind::internal) + 1);
}

ErrorKind kind_of_failure(const std::function<void()>& action) {
  try {
    action();
  } catch (const Error& error) {
    return error.kind();
  }
  ADD_FAILURE() << "nothing was thrown";
  return ErrorKind::internal;
}

TEST(Checked, SumsAndProductsThatFitAreExact) {
  EXPECT_EQ(checked::add<std::int64_t>(INT64_MAX - 1, 1, "sum"), INT64_MAX);
  EXPECT_EQ(checked::multiply<std::uint64_t>(1ULL << 32, (1ULL << 32) - 1, "product"), UINT64_MAX - (1ULL << 32) + 1);
}

TEST(Checked, OverflowIsALimit) {
  EXPECT_EQ(kind_of_failure([] { (void)checked::add<std::int64_t>(INT64_MAX, 1, "sum"); }), ErrorKind::limit);
  EXPECT_EQ(kind_of_failure([] { (void)checked::add<std::int64_t>(INT64_MIN, -1, "sum"); }), ErrorKind::limit);
  EXPECT_EQ(kind_of_failure([] { (void)checked::multiply<std::uint64_t>(1ULL << 32, 1ULL << 32, "product"); }),
            ErrorKind::limit);
}

TEST(Checked, NarrowingSaysTheValueAndTheRange) {
  EXPECT_EQ((checked::narrow<std::int8_t>(std::int64_t{-128}, "id")), -128);
  try {
    (void)checked::narrow<std::uint8_t>(std::int64_t{-1}, "id");
    FAIL();
  } catch (const Error& error) {
    EXPECT_STREQ(error.what(), "id is -1, expected 0 to 255");
  }
}

}  // namespace
}  // namespace berth
