#include "environ/system/memory.h"

#include <gtest/gtest.h>

#include <cmath>

#include "environ/fake_machine.h"

namespace trainmark {
namespace {

TEST(FreeMemory, IsWhatTheMachineHasLeft) {
  const FakeMachine fake;
  const SystemFiles files(fake.root());
  EXPECT_TRUE(std::isinf(free_memory(files)));
  fake.write("/proc/meminfo", "MemTotal: 2000 kB\nMemFree: 10 kB\nMemAvailable:    1000 kB\n");
  EXPECT_EQ(free_memory(files), 1024'000);
}

TEST(FreeMemory, IsWhatTheTightestControlGroupHasLeft) {
  const FakeMachine fake;
  fake.write("/proc/meminfo", "MemAvailable: 1000 kB\n");
  fake.write("/proc/self/cgroup", "0::/job/step\n");
  fake.write("/sys/fs/cgroup/job/memory.max", "900000\n");
  fake.write("/sys/fs/cgroup/job/memory.current", "500000\n");
  fake.write("/sys/fs/cgroup/job/memory.stat", "anon 300000\ninactive_file 100000\nshmem 1\n");
  fake.write("/sys/fs/cgroup/job/step/memory.max", "max\n");
  fake.write("/sys/fs/cgroup/job/step/memory.current", "400000\n");
  EXPECT_EQ(free_memory(SystemFiles(fake.root())), 500'000);
}

TEST(FreeMemory, KnowsVersionOneToo) {
  const FakeMachine fake;
  fake.write("/proc/self/cgroup", "5:memory:/docker/abc\n");
  fake.write("/sys/fs/cgroup/memory/memory.limit_in_bytes", "700000\n");
  fake.write("/sys/fs/cgroup/memory/memory.usage_in_bytes", "800000\n");
  EXPECT_EQ(free_memory(SystemFiles(fake.root())), 0);
}

}  // namespace
}  // namespace trainmark
