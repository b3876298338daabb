#include "report/content/environment_differences.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

namespace trainmark {
namespace {

using Json = nlohmann::json;

Json machine(double now, std::vector<int> processes, const char* governor) {
  return {{"cpu", {{"base_mhz", 2450}, {"now", {{"mhz", now}}}, {"governor", governor}}},
          {"memory", {{"total_bytes", 1 << 30}, {"now", {{"available_bytes", now}}}}},
          {"gpus",
           {{"devices",
             {{{"name", "H200"}, {"now", {{"processes", processes}}}},
              {{"name", "H200"}, {"now", {{"processes", Json::array()}}}}}}}}};
}

TEST(EnvironmentDifferences, ValuesOfTheMomentDoNotCount) {
  const Json a = machine(2596, {17}, "performance"), b = machine(1800, {}, "performance");
  EXPECT_TRUE(differences_between({&a, &b}).empty());
  const Json c = machine(2596, {17}, "powersave");
  const auto differences = differences_between({&a, &c});
  ASSERT_EQ(differences.size(), 1U);
  EXPECT_EQ(differences[0].title(Language::en), "Processor: clock");
  EXPECT_EQ(differences[0].title(Language::zh), "处理器：频率");
  EXPECT_EQ(differences[0].values(Language::en),
            (std::vector<std::string>{"base 2450 MHz, governor performance",
                                      "base 2450 MHz, governor powersave"}));
  EXPECT_EQ(differences[0].values(Language::zh)[1], "基准 2450 MHz，调频策略 powersave");
}

TEST(EnvironmentDifferences, LinesOfOneLabelAreOneFactAndAllOfThemCount) {
  const Json a = {{"libraries", {{"x", 1}}}};
  const auto differences = differences_between({&a, nullptr});
  ASSERT_EQ(differences.size(), 1U);
  EXPECT_EQ(differences[0].values(Language::en)[1], "-");
}

}  // namespace
}  // namespace trainmark
