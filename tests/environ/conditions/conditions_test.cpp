#include "environ/conditions/conditions.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <nlohmann/json.hpp>

#include "base/time.h"
#include "environ/conditions/limits.h"
#include "environ/fake_machine.h"
#include "environ/fake_process.h"

namespace trainmark {
namespace {

using namespace std::string_literals;  // for text with NUL in it

constexpr pid_t run = 4000000;  // no process of this number can be ours
constexpr pid_t stranger = 4000001;

std::string message(const Verdicts& verdicts, const std::string& name) {
  const auto found = std::find_if(verdicts.begin(), verdicts.end(),
                                  [&](const Verdict& verdict) { return verdict.name == name; });
  return found == verdicts.end() ? "" : found->message;
}

/// Two cores for ten seconds: user and idle ticks of each, and stolen ones of the first.
std::string stat(long long user0, long long idle0, long long user1, long long idle1,
                 long long stolen0 = 0) {
  return fmt::format(
      "cpu  0 0 0 0 0 0 0 0 0 0\ncpu0 {} 0 0 {} 0 0 0 {} 0 0\ncpu1 {} 0 0 {} 0 0 0 0 0 0\n"
      "cpu2 99999 0 0 0 0 0 0 0 0 0\nintr 1 2 3\n",
      user0, idle0, stolen0, user1, idle1);
}

class ConditionsTest : public ::testing::Test {
 protected:
  FakeMachine fake;

  void SetUp() override {
    fake.write("/proc/stat", stat(0, 0, 0, 0));
    write_process(fake, ::getpid(), {.own = 0});
    write_process(fake, run, {.own = 1000});
    write_process(fake, stranger, {.own = 500});
  }
};

TEST_F(ConditionsTest, AQuietMachineDeservesNoRemark) {
  ConditionsMonitor monitor({0, 1}, run, fake.root());
  monitor.sample();
  fake.write("/proc/stat", stat(1000, 0, 500, 500));
  write_process(fake, run, {.own = 2480});
  write_process(fake, ::getpid(), {.own = 20});
  monitor.sample();
  EXPECT_TRUE(monitor.verdicts().empty()) << monitor.verdicts().front().message;
  const auto summary = monitor.summary();
  EXPECT_EQ(summary.at("samples"), 2);
  EXPECT_EQ(summary.at("cores"), "0-1");
  EXPECT_DOUBLE_EQ(summary.at("busy_share"), 0.75);
  EXPECT_DOUBLE_EQ(summary.at("own_share"), 0.75);
  EXPECT_DOUBLE_EQ(summary.at("other_share"), 0);
}

TEST_F(ConditionsTest, OtherLoadIsWhatTheRunDidNotDo) {
  ConditionsMonitor monitor({0, 1}, run, fake.root());
  monitor.sample();
  fake.write("/proc/stat", stat(1000, 0, 1000, 0));
  write_process(fake, run, {.own = 2200});
  write_process(fake, stranger, {.own = 1300});
  monitor.sample();
  EXPECT_EQ(message(monitor.verdicts(), "other-load"),
            "other processes used 0.80 of the 2 cores of this run");
  EXPECT_DOUBLE_EQ(monitor.summary().at("other_share"), 0.4);
}

TEST_F(ConditionsTest, StolenTime) {
  ConditionsMonitor monitor({0, 1}, run, fake.root());
  monitor.sample();
  fake.write("/proc/stat", stat(0, 900, 0, 1000, 100));
  monitor.sample();
  EXPECT_EQ(message(monitor.verdicts(), "stolen-time"),
            "the host gave 5.0 % of these cores' time to other guests");
}

TEST_F(ConditionsTest, ALimitOfTheControlGroupThatHoldsTheRunBack) {
  const auto periods = [&](int all, int held_back) {
    fake.write("/sys/fs/cgroup/job/cpu.stat",
               fmt::format("usage_usec 7\nnr_periods {}\nnr_throttled {}\n", all, held_back));
  };
  fake.write("/proc/self/cgroup", "0::/job\n");
  fake.write("/sys/fs/cgroup/job/cpu.max", "50000 100000\n");
  periods(1000, 1000);
  ConditionsMonitor monitor({0, 1}, run, fake.root());
  monitor.sample();
  periods(1100, 1004);
  monitor.sample();
  EXPECT_DOUBLE_EQ(monitor.summary().at("held_back_share"), 0.04);
  EXPECT_EQ(message(monitor.verdicts(), "throttled"), "") << "now and then is what limits are for";
  periods(1200, 1094);
  monitor.sample();
  EXPECT_EQ(message(monitor.verdicts(), "throttled"),
            "the CPU limit of the control group held the processes back in 47 % of its periods");
}

TEST_F(ConditionsTest, Swapping) {
  fake.write("/proc/vmstat", "nr_free_pages 1\npswpin 10\npswpout 5\n");
  ConditionsMonitor monitor({0, 1}, run, fake.root());
  monitor.sample();
  fake.write("/proc/vmstat", "nr_free_pages 1\npswpin 5010\npswpout 25\n");
  monitor.sample();
  EXPECT_NE(message(monitor.verdicts(), "swapping"), "");
  EXPECT_EQ(monitor.summary().at("swapped_pages"), 5020);
}

TEST_F(ConditionsTest, PressureIsTheShareOfTimeSomebodyWaited) {
  fake.write("/proc/pressure/cpu", "some avg10=0.00 avg60=0.00 avg300=0.00 total=1000000\n");
  ConditionsMonitor monitor({0, 1}, run, fake.root());
  monitor.sample();
  fake.write("/proc/pressure/cpu", "some avg10=0.00 avg60=0.00 avg300=0.00 total=2000000\n");
  const long long ticks = 10 * ::sysconf(_SC_CLK_TCK);
  fake.write("/proc/stat", stat(0, ticks, 0, ticks));
  monitor.sample();
  EXPECT_DOUBLE_EQ(monitor.summary().at("cpu_pressure"), 0.1);
  EXPECT_DOUBLE_EQ(monitor.summary().at("seconds"), 10);
}

class ClockTest : public ConditionsTest {
 protected:
  void clocks(const char* mhz) {
    for (const char* core : {"cpu0", "cpu1"}) {
      const std::string folder = std::string("/sys/devices/system/cpu/") + core;
      fake.write(folder + "/cpufreq/scaling_cur_freq", std::string(mhz) + "000\n");
      fake.write(folder + "/cpufreq/base_frequency", "2000000\n");
      fake.write(folder + "/cpufreq/cpuinfo_max_freq", "3500000\n");
      fake.write(folder + "/cpufreq/scaling_governor", "performance\n");
    }
  }
  Verdicts measure(bool busy) {
    ConditionsMonitor monitor({0, 1}, run, fake.root());
    for (int i = 1; i <= 4; ++i) {
      fake.write("/proc/stat", busy ? stat(100 * i, 0, 100 * i, 0) : stat(0, 100 * i, 0, 100 * i));
      write_process(fake, run, {.own = 1000 + (busy ? 200 * i : 0)});
      monitor.sample();
    }
    return monitor.verdicts();
  }
};

TEST_F(ClockTest, ALowClockOfABusyCoreIsThrottling) {
  clocks("1500");
  EXPECT_EQ(message(measure(true), "throttled"),
            "busy cores ran at 1500 MHz, 75 % of their nominal 2000 MHz");
}

TEST_F(ClockTest, AnIdleCoreMayRest) {
  clocks("800");
  EXPECT_TRUE(measure(false).empty());
}

TEST_F(ClockTest, BelowTheHighestTurboIsNoThrottling) {
  clocks("2600");
  EXPECT_TRUE(measure(true).empty());
}

TEST_F(ClockTest, WithoutADriverTheKernelIsAsked) {
  fake.write("/proc/cpuinfo",
             "processor: 0\nmodel name: Some CPU @ 3.00GHz\ncpu MHz: 1200.0\n\n"
             "processor: 1\nmodel name: Some CPU @ 3.00GHz\ncpu MHz: 1200.0\n");
  EXPECT_EQ(message(measure(true), "throttled"),
            "busy cores ran at 1200 MHz, 40 % of their nominal 3000 MHz");
}

TEST_F(ClockTest, GovernorsThatScaleAreNamed) {
  clocks("2000");
  fake.write("/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor", "powersave\n");
  EXPECT_NE(message(measure(true), "frequency-scaling").find("'powersave'"), std::string::npos);
}

TEST_F(ClockTest, HeatIsCounted) {
  const char* counter = "/sys/devices/system/cpu/cpu1/thermal_throttle/core_throttle_count";
  fake.write(counter, "7\n");
  ConditionsMonitor monitor({0, 1}, run, fake.root());
  monitor.sample();
  EXPECT_TRUE(monitor.verdicts().empty());
  fake.write(counter, "9\n");
  monitor.sample();
  EXPECT_EQ(message(monitor.verdicts(), "throttled"), "1 of 2 cores were slowed down by heat");
}

TEST(Conditions, AnEmptyOrHostileMachineIsNoError) {
  const FakeMachine fake;
  ConditionsMonitor empty({}, run, fake.root());
  EXPECT_TRUE(empty.verdicts().empty());
  empty.sample();
  empty.sample();
  EXPECT_TRUE(empty.verdicts().empty());
  EXPECT_EQ(empty.summary().at("samples"), 2);

  const std::string nonsense = "cpu0 -1 99999999999999999999 x\ncpu999999999999 1\ncpu\0cpu1"s;
  for (const char* file : {"/proc/stat", "/proc/vmstat", "/proc/cpuinfo", "/proc/pressure/cpu",
                           "/sys/devices/system/cpu/cpu0/cpufreq/scaling_cur_freq"}) {
    fake.write(file, nonsense);
  }
  ConditionsMonitor hostile({0, 7, -1}, run, fake.root());
  hostile.sample();
  hostile.sample();
  EXPECT_TRUE(hostile.verdicts().empty());
}

TEST(Conditions, ThisMachineCanBeWatched) {
  ConditionsMonitor monitor({}, ::getpid());
  monitor.sample();
  monitor.sample();
  EXPECT_EQ(monitor.summary().at("samples"), 2);
}

TEST(ConditionLimits, OtherLoad) {
  const struct {
    int cores;
    double seconds, other;
    bool remark;
  } cases[] = {{1, 10, 0.04, false}, {1, 10, 0.06, true},   {8, 10, 0.07, false},
               {8, 10, 0.09, true},  {128, 10, 1.0, false}, {128, 10, 2.0, true},
               {1, 0.5, 0.1, false},  // five ticks are no evidence
               {0, 0, 0, false}};
  for (const auto& one : cases) {
    ConditionFigures figures;
    figures.cores = one.cores;
    figures.seconds = one.seconds;
    figures.other_cores = one.other;
    EXPECT_EQ(!condition_verdicts(figures).empty(), one.remark) << one.cores << " " << one.other;
  }
}

#ifdef TRAINMARK_FAKE_NVML
TEST_F(ConditionsTest, GpusThatTheRunUses) {
  ::setenv("FAKE_NVML_PIDS", fmt::format("{},{},123456789", run, stranger).c_str(), 1);
  ::setenv("FAKE_NVML_REASONS", "0x4", 1);
  ConditionsMonitor monitor({0, 1}, run, fake.root(), Nvml::open(TRAINMARK_FAKE_NVML));
  monitor.sample();
  monitor.sample();
  ::unsetenv("FAKE_NVML_PIDS");
  ::unsetenv("FAKE_NVML_REASONS");
  const auto gpus = monitor.summary().at("gpus");
  ASSERT_EQ(gpus.size(), 1U);
  EXPECT_EQ(gpus[0].at("gpu"), 0);
  EXPECT_EQ(gpus[0].at("busy_samples"), 2);
  EXPECT_DOUBLE_EQ(gpus[0].at("watts"), 650.5);
  const double now = monotonic_seconds();
  EXPECT_DOUBLE_EQ(mean_busy(monitor.gpu_busy(), now - 60, now).value_or(0), 0.97);
  EXPECT_EQ(mean_busy(monitor.gpu_busy(), now + 1, now + 60), std::nullopt)
      << "nothing was seen then";
  EXPECT_EQ(monitor.gpu_peak_memory(), static_cast<double>(1ULL << 30)) << "that of the run alone";
  EXPECT_EQ(message(monitor.verdicts(), "throttled"),
            "GPU 0 was throttled while busy: power cap 100 %; mean SM clock 1395 of 1980 "
            "MHz");
  EXPECT_EQ(message(monitor.verdicts(), "other-load"),
            fmt::format("GPU 0 was also used by other processes: {}", stranger));
}
#endif

}  // namespace
}  // namespace trainmark
