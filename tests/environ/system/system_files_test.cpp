#include "environ/system/system_files.h"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include "environ/fake_machine.h"

namespace trainmark {
namespace {

TEST(SystemFiles, ReadsTrimmedAndNeverThrows) {
  const FakeMachine fake;
  fake.write("/sys/a", "  words \n");
  fake.write("/sys/n", "42\n");
  fake.write("/sys/long", std::string(100000, 'x'));
  fake.write("/sys/empty", "");
  const SystemFiles files(fake.root() / "");  // a slash at the end changes nothing
  EXPECT_EQ(files.text("/sys/a"), "words");
  EXPECT_EQ(files.number("/sys/n"), 42);
  EXPECT_EQ(files.number("/sys/a"), std::nullopt);
  EXPECT_EQ(files.text("/sys/long")->size(), 100000U);
  EXPECT_EQ(files.text("/sys/long", 10)->size(), 10U);
  EXPECT_EQ(files.text("/sys/empty"), "");
  EXPECT_EQ(files.text("/sys/none"), std::nullopt);
  EXPECT_EQ(files.text("/sys"), std::nullopt);
  EXPECT_TRUE(files.exists("/sys/n"));
  EXPECT_FALSE(files.exists("/sys/none"));
  EXPECT_EQ(files.names("/sys"), (std::vector<std::string>{"a", "empty", "long", "n"}));
  EXPECT_TRUE(files.names("/none").empty());
  EXPECT_FALSE(files.is_this_machine());
  EXPECT_TRUE(SystemFiles("/").is_this_machine());
}

TEST(SystemFiles, AFifoDoesNotHoldUs) {
  const FakeMachine fake;
  fake.write("/proc/x", "");
  ASSERT_EQ(::mkfifo((fake.root() / "proc/fifo").c_str(), 0600), 0);
  EXPECT_EQ(SystemFiles(fake.root()).text("/proc/fifo").value_or(""), "");
}

TEST(SystemFiles, NumberedNames) {
  const FakeMachine fake;
  for (const char* name :
       {"/proc/12/x", "/proc/7/x", "/proc/self/x", "/proc/7a/x", "/proc/99999999999999/x"}) {
    fake.write(name, "");
  }
  auto numbers = SystemFiles(fake.root()).numbered_names("/proc");
  std::sort(numbers.begin(), numbers.end());
  EXPECT_EQ(numbers, (std::vector<int>{7, 12}));
}

TEST(ParseCpuList, Table) {
  using List = std::vector<int>;
  EXPECT_EQ(parse_cpu_list("0-3,8"), (List{0, 1, 2, 3, 8}));
  EXPECT_EQ(parse_cpu_list("5"), List{5});
  EXPECT_EQ(parse_cpu_list("3,1,3"), (List{1, 3}));
  EXPECT_EQ(parse_cpu_list(""), List{});
  EXPECT_EQ(parse_cpu_list("x,2,-,4-"), List{2});
  EXPECT_EQ(parse_cpu_list("3-1"), List{});
  EXPECT_EQ(parse_cpu_list("0-99999999999"), List{});
  EXPECT_EQ(parse_cpu_list("-5"), List{});
}

TEST(CpuListText, RoundTrip) {
  EXPECT_EQ(cpu_list_text({}), "");
  EXPECT_EQ(cpu_list_text({8, 0, 1, 2, 3}), "0-3,8");
  EXPECT_EQ(cpu_list_text({4, 4}), "4");
}

TEST(ParseNumbers, Table) {
  EXPECT_EQ(parse_number(" -7 \n"), -7);
  for (const char* bad : {"", "x", "1x", "1 2", "99999999999999999999", "0x10"}) {
    EXPECT_EQ(parse_number(bad), std::nullopt) << bad;
  }
  EXPECT_EQ(parse_decimal("2793.436"), 2793.436);
  for (const char* bad : {"", "nan", "inf", "-1.5", "1.5 GHz"}) {
    EXPECT_EQ(parse_decimal(bad), std::nullopt) << bad;
  }
}

}  // namespace
}  // namespace trainmark
