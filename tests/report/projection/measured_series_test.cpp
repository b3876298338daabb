#include "report/projection/measured_series.h"

#include <gtest/gtest.h>

#include <limits>

#include "report/projection/project.h"
#include "user_error.h"

namespace trainmark {
namespace {

/// Of a figure of 100 whose interval is this one.
double error_within(Interval interval) {
  RunRecord run;
  run.cell = {"resnet50", "small", "jax:eager", "fp32", 8, 1, "cuda", {1, 1}};
  Result result;
  result.cell = run.cell;
  result.runs = {&run};
  result.throughput.value = result.throughput.median = 100;
  result.throughput.interval = interval;
  return measured_series(std::vector<Result>{result}).front().points.front().relative_error;
}

TEST(MeasuredSeries, AnIntervalThatSaysNothingLeavesAFiniteError) {
  EXPECT_EQ(error_within({0, std::numeric_limits<double>::infinity()}), 0.01)
      << "a published figure has no interval";
  EXPECT_EQ(error_within({-900, 1100}), 0.3);
  EXPECT_NEAR(error_within({90, 110}), 0.05, 1e-9);
  EXPECT_EQ(error_within({99.9, 100.1}), 0.01);
}

TEST(ProjectSeries, NamesTheJobWhosePointsCannotBeUsed) {
  MeasuredSeries series;
  series.name = "resnet50/fp32";
  series.batch = 64;
  series.parameters = 25.6e6;
  series.points = {{{1, 8}, 0, 0.01}};
  EXPECT_EQ(user_error_of([&] { project_series(series, {series}, {}); }),
            "resnet50/fp32: 1n8g: its throughput must be positive");
}

}  // namespace
}  // namespace trainmark
