#include "report/content/price.h"

#include <gtest/gtest.h>

#include "report/sample_journal.h"
#include "user_error.h"

namespace trainmark {
namespace {

double cost_at(const std::string& scale, double throughput, const std::string& price) {
  SampleJournal journal;
  journal.contents.runs.push_back(
      SampleJournal::run(SampleJournal::cell("resnet50", "a", 16, scale), throughput));
  const std::vector<Result> results = results_of(journal.contents);
  return cost_of_million(results.at(0), parse_price(price)).value();
}

TEST(Price, IsOfEachDevice) {
  // A million images at 1000 a second take 1000 s.
  EXPECT_DOUBLE_EQ(cost_at("1n1g", 1000, "3.6"), 1.0);
  EXPECT_DOUBLE_EQ(cost_at("2n8g", 16000, "3.6"), 1.0);
}

TEST(Price, OrOfEachNode) {
  EXPECT_DOUBLE_EQ(cost_at("1n8g", 1000, "3.6/node"), 1.0);
  EXPECT_DOUBLE_EQ(cost_at("4n8g", 1000, "3.6/node"), 4.0);
}

TEST(Price, IsReadStrictly) {
  for (const char* wrong : {"", "0", "-1", "free", "2.49$", "2.49/hour", "nan", "inf", "1e30"}) {
    EXPECT_NE(user_error_of([&] { parse_price(wrong); }).find("such as 2.49"), std::string::npos)
        << wrong;
  }
}

TEST(Price, OfWhatFailedIsUnknown) {
  SampleJournal journal;
  journal.failed(SampleJournal::cell("resnet50", "a"), "crash", "");
  const std::vector<Result> results = results_of(journal.contents);
  EXPECT_EQ(cost_text(results.at(0), parse_price("1")), "-");
  EXPECT_EQ(cost_of_million(results.at(0), std::nullopt), std::nullopt);
}

}  // namespace
}  // namespace trainmark
