#include "measure/projection.h"

#include <gtest/gtest.h>

#include <cmath>

#include "base/error.h"

namespace trainmark {
namespace {

constexpr double batch = 64;
constexpr double bytes = 100e6;

/// A job that does what the model says: compute, ring and links exactly known.
double true_throughput(Scale scale, double inside, double between) {
  constexpr double compute = 0.1;
  constexpr double hidden = 0.3;
  const double ring = [&] { return 2 * (scale.nodes - 1.0) / scale.nodes; }();
  const double sent =
      bytes / inside * 2 * (scale.per_node - 1) / scale.per_node + bytes / between * ring;
  const double exposed = std::max(sent - hidden * compute, 0.262144 * sent);
  return batch * scale.ranks() / (compute + exposed);
}

ProjectionInput input_with(const std::vector<Scale>& scales, double inside, double between) {
  ProjectionInput input;
  for (const Scale& scale : scales)
    input.points.push_back({scale, true_throughput(scale, inside, between), 0.005});
  input.items_per_rank = batch;
  input.gradient_bytes = bytes;
  input.inside = {50e9, 4};
  input.between = {5e9, 5};
  return input;
}

double width(const ProjectedScale& scale) {
  return (scale.interval.high - scale.interval.low) / scale.throughput;
}

TEST(Projection, CoversTheTruthAtLargerScales) {
  for (const auto& [inside, between] :
       {std::pair(100e9, 2e9), std::pair(20e9, 10e9), std::pair(50e9, 1e9)}) {
    const Projection projection(input_with({{1, 1}, {1, 8}, {2, 8}}, inside, between));
    for (const Scale& scale : {Scale{4, 8}, Scale{16, 8}}) {
      const ProjectedScale result = projection.at(scale);
      const double truth = true_throughput(scale, inside, between);
      EXPECT_TRUE(result.interval.contains(truth))
          << scale.text() << ": " << truth << " is not within " << result.interval.low << " to "
          << result.interval.high;
      EXPECT_LT(std::abs(result.throughput / truth - 1), scale.nodes <= 4 ? 0.2 : 0.4);
    }
  }
}

TEST(Projection, GivesBackWhatItWasToldOfMeasuredScales) {
  const ProjectionInput input = input_with({{1, 1}, {1, 8}, {2, 8}}, 50e9, 3e9);
  const Projection projection(input);
  for (const ScalePoint& point : input.points)
    EXPECT_NEAR(projection.at(point.scale).throughput / point.throughput, 1, 0.02)
        << point.scale.text();
}

TEST(Projection, KnowsLessOfLargerScales) {
  const Projection projection(input_with({{1, 1}, {1, 8}}, 50e9, 3e9));
  double efficiency = 1.01;
  double last_width = 0;
  for (int nodes = 1; nodes <= 256; nodes *= 4) {
    const ProjectedScale scale = projection.at({nodes, 8});
    EXPECT_LT(scale.efficiency, efficiency) << scale.scale.text();
    EXPECT_GT(width(scale), last_width) << scale.scale.text();
    efficiency = scale.efficiency;
    last_width = width(scale);
  }
}

TEST(Projection, AKnownLinkMakesItSurer) {
  ProjectionInput input = input_with({{1, 1}, {1, 8}}, 50e9, 3e9);
  const double unknown = width(Projection(input).at({8, 8}));
  input.between = {3e9, 1.2};
  EXPECT_LT(width(Projection(input).at({8, 8})), 0.7 * unknown);
}

TEST(Projection, ChangesWhatItIsAskedToChange) {
  const Projection projection(input_with({{1, 1}, {1, 8}, {2, 8}}, 50e9, 1e9));
  const ProjectedScale as_is = projection.at({8, 8});
  WhatIf fast_links;
  fast_links.between = 1e12;
  EXPECT_GT(projection.at({8, 8}, fast_links).throughput, 1.1 * as_is.throughput);
  WhatIf larger_batch;
  larger_batch.items = larger_batch.compute = 4;
  EXPECT_GT(projection.at({8, 8}, larger_batch).efficiency, as_is.efficiency);
  WhatIf half_the_bytes;
  half_the_bytes.bytes = 0.5;
  EXPECT_LT(projection.at({8, 8}, half_the_bytes).exposed_seconds, as_is.exposed_seconds);
}

TEST(Projection, ASingleNodeThatStandsAloneHasNoCommunication) {
  const ProjectedScale scale = Projection(input_with({{1, 1}}, 50e9, 1e9)).at({1, 1});
  EXPECT_EQ(scale.exposed_seconds, 0);
  EXPECT_NEAR(scale.speedup, 1, 1e-9);
}

TEST(Projection, RefusesWhatIsNoMeasurement) {
  EXPECT_THROW(Projection{ProjectionInput{}}, UserError);
  ProjectionInput input = input_with({{1, 1}}, 50e9, 1e9);
  input.points.front().throughput = 0;
  EXPECT_THROW(Projection{input}, UserError);
}

}  // namespace
}  // namespace trainmark
