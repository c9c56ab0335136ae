// Control groups, read from trees made here.
#include "base/cpu.h"

#include <gmock/gmock.h>

#include "base/file.h"

namespace berth {
namespace {

using ::testing::Optional;

class Cgroup : public ::testing::Test {
 protected:
  void file(const std::string& path, std::string_view text) {
    fs::create_directories((root_.path() / path).parent_path());
    write_new_file(root_.path() / path, text);
  }
  [[nodiscard]] std::optional<double> quota() const { return read_cgroup_quota(root_.path()); }
  TemporaryFolder root_;
};

TEST_F(Cgroup, WithoutAnyThereIsNoLimit) { EXPECT_EQ(quota(), std::nullopt); }

TEST_F(Cgroup, Version2Limit) {
  file("proc/self/cgroup", "0::/app\n");
  file("sys/fs/cgroup/app/cpu.max", "150000 100000\n");
  EXPECT_THAT(quota(), Optional(1.5));
}

TEST_F(Cgroup, Version2WithoutLimit) {
  file("proc/self/cgroup", "0::/app\n");
  file("sys/fs/cgroup/app/cpu.max", "max 100000\n");
  EXPECT_EQ(quota(), std::nullopt);
}

TEST_F(Cgroup, EachParentBinds) {
  file("proc/self/cgroup", "0::/slice/pod/app\n");
  file("sys/fs/cgroup/slice/cpu.max", "100000 100000\n");
  file("sys/fs/cgroup/slice/pod/cpu.max", "max 100000\n");
  file("sys/fs/cgroup/slice/pod/app/cpu.max", "400000 100000\n");
  EXPECT_THAT(quota(), Optional(1.0));
}

TEST_F(Cgroup, InsideAContainerTheLimitIsAtTheRootOfTheMount) {
  file("proc/self/cgroup", "0::/docker/abc\n");
  file("sys/fs/cgroup/cpu.max", "50000 100000\n");
  EXPECT_THAT(quota(), Optional(0.5));
}

TEST_F(Cgroup, Version1Limit) {
  file("proc/self/cgroup", "5:memory:/m\n4:cpu,cpuacct:/docker/abc\n");
  file("sys/fs/cgroup/cpu/docker/abc/cpu.cfs_quota_us", "300000\n");
  file("sys/fs/cgroup/cpu/docker/abc/cpu.cfs_period_us", "100000\n");
  file("sys/fs/cgroup/cpu/docker/cpu.cfs_quota_us", "200000\n");
  file("sys/fs/cgroup/cpu/docker/cpu.cfs_period_us", "100000\n");
  EXPECT_THAT(quota(), Optional(2.0));
}

TEST_F(Cgroup, Version1WithoutLimit) {
  file("proc/self/cgroup", "4:cpu,cpuacct:/\n");
  file("sys/fs/cgroup/cpu/cpu.cfs_quota_us", "-1\n");
  file("sys/fs/cgroup/cpu/cpu.cfs_period_us", "100000\n");
  EXPECT_EQ(quota(), std::nullopt);
}

TEST_F(Cgroup, BothVersionsAtOnce) {
  file("proc/self/cgroup", "4:cpuset:/x\n3:cpu:/app\n0::/app\n");
  file("sys/fs/cgroup/cpu/app/cpu.cfs_quota_us", "250000\n");
  file("sys/fs/cgroup/cpu/app/cpu.cfs_period_us", "100000\n");
  EXPECT_THAT(quota(), Optional(2.5));
}

TEST_F(Cgroup, NonsenseIsNoLimit) {
  file("proc/self/cgroup", "nonsense\n:\n::\n0::/../../app\n\n");
  file("sys/fs/cgroup/cpu.max", "many 0\n");
  EXPECT_EQ(quota(), std::nullopt);
}

TEST(Cpu, BudgetIsWithinWhatTheProcessMayUse) {
  const Cpu& facts = cpu();
  EXPECT_GE(facts.thread_budget, 1U);
  EXPECT_LE(facts.thread_budget, facts.physical_cores);
  EXPECT_LE(facts.physical_cores, facts.logical_cores);
  EXPECT_FALSE(facts.model.empty());
  EXPECT_TRUE(facts.features.avx512 || !(facts.features.avx512_vnni || facts.features.avx512_bf16));
}

}  // namespace
}  // namespace berth
