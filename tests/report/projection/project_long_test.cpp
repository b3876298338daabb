#include "report/projection/project.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "report/projection/projection.h"
#include "user_error.h"

namespace trainmark {
namespace {

MeasuredSeries series_at(const std::string& precision, double one_rank) {
  MeasuredSeries series;
  series.name = "resnet50/" + precision;
  series.any_precision = "resnet50/";
  series.precision = precision;
  series.unit = "images";
  series.batch = 64;
  series.parameters = 25.6e6;
  for (const int ranks : {1, 2, 4, 8})
    series.points.push_back({{1, ranks}, one_rank * ranks * (1 - 0.01 * ranks), 0.01});
  return series;
}

std::vector<Scale> scales_in(const ProjectionTable& table) {
  std::vector<Scale> scales;
  for (const auto& row : table.rows) scales.push_back(row.projected.scale);
  return scales;
}

TEST(Project, ShowsWhatWasMeasuredAndNodesByDoubling) {
  const MeasuredSeries series = series_at("fp32", 100);
  ProjectionOptions options;
  options.up_to = 32;
  options.fit_up_to = 4;
  const ProjectionTable table = project_series(series, {series}, options);
  EXPECT_EQ(scales_in(table), (std::vector<Scale>{{1, 1}, {1, 2}, {1, 4}, {1, 8}, {2, 8}, {4, 8}}));
  EXPECT_EQ(table.rows[2].measured, series.points[2].throughput);
  EXPECT_TRUE(table.rows[2].fitted);
  EXPECT_EQ(table.rows[3].measured, series.points[3].throughput);
  EXPECT_FALSE(table.rows[3].fitted) << "it was kept from the model";
  EXPECT_EQ(table.rows[4].measured, std::nullopt);
  EXPECT_TRUE(table.change.empty());
}

TEST(Project, LinksAreSoManyGigabytesASecond) {
  const MeasuredSeries series = series_at("fp32", 100);
  const auto rate_between = [&](double gigabytes) {
    ProjectionOptions options;
    options.up_to = 16;
    options.if_between = gigabytes;
    return project_series(series, {series}, options).rows.back().projected.throughput;
  };
  // 102 MB of gradients a step of 0.64 s: 100 GB/s are as good as none, 0.05 GB/s are not.
  EXPECT_NEAR(rate_between(100) / rate_between(1000), 1, 0.05);
  EXPECT_LT(rate_between(0.05), 0.5 * rate_between(100));
}

TEST(Project, TakesTheComputeTimeOfAnotherPrecisionFromItsOwnRuns) {
  const std::vector<MeasuredSeries> all = {series_at("fp32", 100), series_at("amp-fp16", 300)};
  ProjectionOptions options;
  options.up_to = 8;
  options.if_precision = "amp-fp16";
  const ProjectionTable table = project_series(all[0], all, options);
  EXPECT_EQ(table.change, "the precision were amp-fp16");
  EXPECT_NEAR(table.rows[0].projected.throughput, 300 * 0.99, 15);
  EXPECT_EQ(table.rows[0].measured, std::nullopt) << "something else was measured";
  options.if_precision = "bf16";
  EXPECT_NE(user_error_of([&] {
              project_series(all[0], all, options);
            }).find("nothing was measured at precision 'bf16'"),
            std::string::npos);
}

TEST(Project, RefusesWhatItCannotKnow) {
  const auto refusal = [](const MeasuredSeries& series, const ProjectionOptions& options = {}) {
    return user_error_of([&] { project_series(series, {series}, options); });
  };
  MeasuredSeries series = series_at("fp32", 100);
  series.parameters = 0;
  EXPECT_NE(refusal(series).find("write --parameters"), std::string::npos);
  series.batch = 0;
  EXPECT_NE(refusal(series).find("its batch size is not known"), std::string::npos);
  series = series_at("fp32", 100);
  series.points.erase(series.points.begin());
  ProjectionOptions options;
  options.fit_up_to = 1;
  EXPECT_NE(refusal(series, options).find("raise --fit-up-to"), std::string::npos);
}

RunRecord run_at(Scale scale, const std::string& precision) {
  RunRecord run;
  run.cell = {"resnet50", "small", "jax:eager", precision, 8, 2, "cuda", scale};
  run.trainer = {{"parameters", 1000}};
  return run;
}

TEST(MeasuredSeries, AreTheCellsThatDifferInTheScaleOnly) {
  const RunRecord runs[] = {run_at({1, 1}, "fp32"), run_at({1, 2}, "fp32"), run_at({1, 1}, "fp16")};
  std::vector<Result> results;
  for (const RunRecord& run : runs) {
    Result result;
    result.cell = run.cell;
    result.unit = "images";
    result.runs = {&run};
    result.throughput.value = result.throughput.median = 100.0 * run.cell.scale.ranks();
    result.throughput.interval = {95.0 * run.cell.scale.ranks(), 105.0 * run.cell.scale.ranks()};
    results.push_back(result);
  }
  Result failed = results.front();
  failed.cell.scale = {1, 4};
  failed.runs.clear();
  results.push_back(failed);
  const std::vector<MeasuredSeries> all = measured_series(results);
  ASSERT_EQ(all.size(), 2U);
  const bool first = all[0].precision == "fp32";
  const MeasuredSeries& fp32 = all[first ? 0 : 1];
  const MeasuredSeries& fp16 = all[first ? 1 : 0];
  ASSERT_EQ(fp32.points.size(), 2U);
  EXPECT_EQ(fp32.points[1].throughput, 200);
  EXPECT_NEAR(fp32.points[1].relative_error, 0.025, 1e-9);
  EXPECT_EQ(fp32.batch, 16);
  EXPECT_EQ(fp32.parameters, 1000);
  EXPECT_FALSE(fp32.on_cpu);
  EXPECT_EQ(fp32.bytes_of_gradient, 4);
  EXPECT_EQ(fp16.bytes_of_gradient, 2);
  EXPECT_EQ(fp16.any_precision, fp32.any_precision);
}

TEST(ProjectionError, IsPositiveWhereTooMuchWasForetold) {
  ProjectionRow row;
  row.projected.throughput = 110;
  EXPECT_EQ(projection_error(row), std::nullopt);
  row.measured = 100;
  EXPECT_NEAR(projection_error(row).value(), 0.1, 1e-12);
  row.fitted = true;
  EXPECT_EQ(projection_error(row), std::nullopt) << "it was not foretold";
}

}  // namespace
}  // namespace trainmark
