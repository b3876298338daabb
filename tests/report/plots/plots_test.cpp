#include "report/plots/plots.h"

#include <gtest/gtest.h>

#include <cmath>

#include "report/plots/plot_names.h"
#include "report/sample_journal.h"

namespace trainmark {
namespace {

class Plots : public testing::Test {
 protected:
  /// Of the first workload and precision of the journal.
  std::string ranking() {
    make_groups();
    return ranking_plot(groups_[0], groups_[0].precisions[0]);
  }
  std::string scaling() {
    make_groups();
    return scaling_plot(groups_[0], groups_[0].precisions[0], Language::en);
  }
  static bool has(const std::string& svg, const std::string& text) {
    return svg.find(text) != std::string::npos;
  }

  SampleJournal journal_;

 private:
  void make_groups() {
    results_ = results_of(journal_.contents);
    groups_ = group_results(results_);
  }

  std::vector<Result> results_;
  std::vector<WorkloadGroup> groups_;
};

TEST_F(Plots, TheFastestFrameworkIsTheFirstBar) {
  journal_.good(SampleJournal::cell("resnet50", "slow"), 100);
  journal_.good(SampleJournal::cell("resnet50", "fast"), 200);
  const std::string svg = ranking();
  EXPECT_LT(svg.find("fast"), svg.find("slow"));
  EXPECT_TRUE(has(svg, "200.1 images/s"));
}

TEST_F(Plots, ABarIsThatOfTheFastestBatch) {
  for (const auto& [batch, rate] : {std::pair(8, 100), std::pair(32, 300), std::pair(64, 200)})
    journal_.good(SampleJournal::cell("resnet50", "a", batch), rate);
  const std::string svg = ranking();
  EXPECT_TRUE(has(svg, "b32 ")) << svg;
  EXPECT_FALSE(has(svg, "b8 ")) << svg;
}

TEST_F(Plots, WhatFailedHasNoPlot) {
  journal_.failed(SampleJournal::cell("resnet50", "a"), "timeout", "60 s");
  EXPECT_EQ(ranking(), "");
  EXPECT_EQ(scaling(), "");
}

TEST_F(Plots, ScalingNeedsSeveralScales) {
  journal_.good(SampleJournal::cell("resnet50", "a"), 100);
  EXPECT_EQ(scaling(), "");
  journal_.good(SampleJournal::cell("resnet50", "a", 16, "1n4g"), 380);
  EXPECT_TRUE(has(scaling(), "a b16"));
}

TEST_F(Plots, ABarHasBothEndsOfItsInterval) {
  journal_.good(SampleJournal::cell("resnet50", "a"), 100);
  const std::string svg = ranking();
  const CellThroughput figure = results_of(journal_.contents)[0].throughput;
  // The longest bar, too: the axis ends where its whisker does.
  const auto place = [&](double value) { return 210 + 360 * value / figure.interval.high; };
  const std::string low = fmt::format("{:.1f}", place(figure.interval.low));
  EXPECT_NE(low, fmt::format("{:.1f}", place(figure.value)));
  EXPECT_TRUE(has(svg, fmt::format(R"(<line x1="{}" y1="50.0" x2="570.0")", low))) << svg;
  EXPECT_TRUE(has(svg, R"(<line x1="570.0" y1="45.0" x2="570.0")")) << "a cap\n" << svg;
  EXPECT_TRUE(has(svg, fmt::format(R"(width="{:.1f}" height="20.0")", place(figure.value) - 210)))
      << "the bar is shorter than its whisker\n"
      << svg;
}

TEST_F(Plots, AWildIntervalDoesNotSqueezeTheBars) {
  for (const double value : {50.0, 100.0, 300.0})
    journal_.contents.runs.push_back(
        SampleJournal::run(SampleJournal::cell("resnet50", "a"), value, 1));
  const std::string svg = ranking();
  EXPECT_TRUE(has(svg, fmt::format(R"(width="{:.1f}" height="20.0")", 360 / 1.35))) << svg;
  EXPECT_FALSE(has(svg, R"(<line x1="570.0")")) << "no cap: the whisker goes on\n" << svg;
}

TEST_F(Plots, AFigureWithAWarningIsMarked) {
  journal_.good(SampleJournal::cell("resnet50", "a"), 100);
  EXPECT_FALSE(has(ranking(), "(!)"));
  journal_.contents.runs[0].verdicts = {{"throttled", "at 70 %"}};
  EXPECT_TRUE(has(ranking(), "(!)"));
}

TEST_F(Plots, TheIdealLineGrowsWithTheRanks) {
  journal_.good(SampleJournal::cell("resnet50", "a", 16, "1n2g"), 200);
  journal_.good(SampleJournal::cell("resnet50", "a", 16, "1n4g"), 300);
  // Twice the ranks, twice the rate: the highest value, a twentieth below the top of the axis,
  // which is logarithmic.
  const double whole = std::log(400 * 1.05) - std::log(200 / 1.05);
  const std::string top = fmt::format(R"(y2="{:.1f}")", 44 + 220 * std::log(1.05) / whole);
  EXPECT_TRUE(has(scaling(), top)) << top << scaling();
}

TEST_F(Plots, ScalingHasTheColoursOfTheFrameworksAndTheirEfficiency) {
  for (const char* framework : {"jax:jit", "libtorch:eager"}) {
    journal_.good(SampleJournal::cell("resnet50", framework, 16), 100);
    journal_.good(SampleJournal::cell("resnet50", framework, 16, "1n2g"), 150);
  }
  const std::string svg = scaling();
  for (const char* framework : {"jax:jit", "libtorch:eager"})
    EXPECT_TRUE(has(svg, fmt::format(R"(height="10.0" fill="{}")",
                                     framework_colour(SampleJournal::cell("resnet50", framework)))))
        << framework << svg;
  EXPECT_TRUE(has(svg, "efficiency, %")) << svg;
  // 75 % of an axis of 110 % that is 100 high and ends at 416.
  EXPECT_TRUE(has(svg, fmt::format(R"(cy="{:.1f}")", 416 - 75 / 1.1))) << svg;
}

TEST_F(Plots, NamesOfOthersAreNoMarkup) {
  journal_.good(SampleJournal::cell("resnet50", "<script>"), 100);
  EXPECT_FALSE(has(ranking(), "<script>"));
}

TEST(PlotNames, ArePlainAndDiffer) {
  PlotNames plots("my report-plots");
  EXPECT_EQ(plots.add("../a b", "1"), "my-report-plots/plot.svg");
  EXPECT_EQ(plots.add("a/b", "2"), "my-report-plots/a-b.svg");
  EXPECT_EQ(plots.add("a b", "3"), "my-report-plots/a-b-2.svg");
  EXPECT_EQ(plots.all().at("my-report-plots/a-b-2.svg"), "3");
}

}  // namespace
}  // namespace trainmark
