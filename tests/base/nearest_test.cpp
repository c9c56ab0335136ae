// Suggestions for typing mistakes.
#include "base/nearest.h"

#include <gmock/gmock.h>

namespace berth {
namespace {

TEST(EditDistance, CountsEachKindOfSlip) {
  EXPECT_EQ(edit_distance("", ""), 0U);
  EXPECT_EQ(edit_distance("abc", ""), 3U);
  EXPECT_EQ(edit_distance("", "abc"), 3U);
  EXPECT_EQ(edit_distance("export", "exprt"), 1U);
  EXPECT_EQ(edit_distance("export", "exxport"), 1U);
  EXPECT_EQ(edit_distance("export", "expart"), 1U);
  EXPECT_EQ(edit_distance("export", "exprot"), 1U);
  EXPECT_EQ(edit_distance("kitten", "sitting"), 3U);
  EXPECT_EQ(edit_distance("ca", "abc"), 3U);  // optimal string alignment: no edit inside a swap
}

TEST(Nearest, TakesTheNearestOfThoseThatAreNear) {
  const std::vector<std::string> known{"export", "verify", "run"};
  EXPECT_EQ(did_you_mean("exprot", known), "did you mean export?");
  EXPECT_EQ(did_you_mean("verfy", known), "did you mean verify?");
  EXPECT_EQ(did_you_mean("rum", known), "did you mean run?");
  EXPECT_EQ(did_you_mean("serve", known), "");
  EXPECT_EQ(did_you_mean("", known), "");
  EXPECT_EQ(did_you_mean("x", std::vector<std::string>{}), "");
}

TEST(Nearest, IsQuickWithWordsThatNobodyTypes) {
  EXPECT_EQ(did_you_mean(std::string(1 << 26, 'x'), std::vector<std::string>{"export"}), "");
}

}  // namespace
}  // namespace berth
