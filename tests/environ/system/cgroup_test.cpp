#include "environ/system/cgroup.h"

#include <gtest/gtest.h>

#include "environ/fake_machine.h"

namespace trainmark {
namespace {

TEST(ParseCpuMax, Table) {
  EXPECT_EQ(parse_cpu_max("250000 100000"), 2.5);
  EXPECT_EQ(parse_cpu_max("75000 50000"), 1.5);
  for (const char* bad : {"", "max 100000", "100000", "0 100000", "1 0", "-1 100000", "x y"}) {
    EXPECT_EQ(parse_cpu_max(bad), std::nullopt) << bad;
  }
}

TEST(Cgroup, NoLimitAnywhere) {
  const FakeMachine fake;
  const SystemFiles files(fake.root());
  EXPECT_EQ(cgroup_cpu_limit(files), std::nullopt);
  EXPECT_EQ(cgroup_memory_limit(files), std::nullopt);
  fake.write("/proc/self/cgroup", "0::/\n");
  fake.write("/sys/fs/cgroup/cpu.max", "max 100000\n");
  fake.write("/sys/fs/cgroup/memory.max", "max\n");
  EXPECT_EQ(cgroup_cpu_limit(files), std::nullopt);
  EXPECT_EQ(cgroup_memory_limit(files), std::nullopt);
}

TEST(Cgroup, TheTightestGroupOnTheWayUpRules) {
  const FakeMachine fake;
  fake.write("/proc/self/cgroup", "0::/job/step\n");
  fake.write("/sys/fs/cgroup/job/cpu.max", "200000 100000\n");
  fake.write("/sys/fs/cgroup/job/step/cpu.max", "400000 100000\n");
  fake.write("/sys/fs/cgroup/job/step/memory.max", "1073741824\n");
  fake.write("/sys/fs/cgroup/job/memory.max", "8589934592\n");
  const SystemFiles files(fake.root());
  EXPECT_EQ(cgroup_cpu_limit(files), 2.0);
  EXPECT_EQ(cgroup_memory_limit(files), 1073741824U);
}

TEST(Cgroup, VersionOneInAContainerThatSeesOnlyItsOwnTop) {
  const FakeMachine fake;
  fake.write("/proc/self/cgroup", "5:memory:/docker/abc\n3:cpu,cpuacct:/docker/abc\n");
  fake.write("/sys/fs/cgroup/cpu/cpu.cfs_quota_us", "150000\n");
  fake.write("/sys/fs/cgroup/cpu/cpu.cfs_period_us", "100000\n");
  fake.write("/sys/fs/cgroup/memory/memory.limit_in_bytes", "9223372036854771712\n");
  const SystemFiles files(fake.root());
  EXPECT_EQ(cgroup_cpu_limit(files), 1.5);
  EXPECT_EQ(cgroup_memory_limit(files), std::nullopt);
}

TEST(Cgroup, PeriodsAreThoseOfTheTightestGroup) {
  const FakeMachine fake;
  const SystemFiles files(fake.root());
  EXPECT_FALSE(cgroup_cpu_periods(files)) << "there is no limit";
  fake.write("/proc/self/cgroup", "3:cpu,cpuacct:/job/step\n");
  for (const auto& [folder, quota] : {std::pair("job/step", "50000"), std::pair("job", "200000")}) {
    const std::string top = std::string("/sys/fs/cgroup/cpu/") + folder;
    fake.write(top + "/cpu.cfs_quota_us", quota);
    fake.write(top + "/cpu.cfs_period_us", "100000");
  }
  fake.write("/sys/fs/cgroup/cpu/job/cpu.stat", "nr_periods 7\nnr_throttled 0\n");
  fake.write("/sys/fs/cgroup/cpu/job/step/cpu.stat",
             "nr_periods 40\nnr_throttled 30\nthrottled_time 5\ndamage\nnr_bursts x\n");
  const auto periods = cgroup_cpu_periods(files);
  ASSERT_TRUE(periods);
  EXPECT_EQ(periods->all, 40);
  EXPECT_EQ(periods->held_back, 30);
}

TEST(Cgroup, DamageIsNoLimit) {
  const FakeMachine fake;
  fake.write("/proc/self/cgroup", ":::::\n\nno colons\n1:\n0::relative/path");
  fake.write("/sys/fs/cgroup/memory.max", "-5\n");
  const SystemFiles files(fake.root());
  EXPECT_EQ(cgroup_cpu_limit(files), std::nullopt);
  EXPECT_EQ(cgroup_memory_limit(files), std::nullopt);
}

}  // namespace
}  // namespace trainmark
