// How well `trainmark project` foretells published figures that it was not shown. It draws many
// thousands of times, which takes the sanitizers a minute.

#include <gtest/gtest.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "e2e/support/program.h"

namespace trainmark::e2e {
namespace {

using Json = nlohmann::json;

struct Hits {
  int all = 0;
  int near = 0;    // within 10 %
  int inside = 0;  // the interval
};

/// How well scales are foretold that the projection was not shown.
Hits hits(const std::vector<std::string>& more) {
  std::vector<std::string> arguments = {
      "project", TRAINMARK_SOURCE "/references/v100.csv", "--up-to", "32", "--format", "json"};
  arguments.insert(arguments.end(), more.begin(), more.end());
  const Outcome outcome = trainmark(arguments);
  EXPECT_EQ(outcome.code, 0) << outcome.errors;
  const Json projections = Json::parse(outcome.output).at("projections");
  Hits hits;
  for (const Json& job : projections) {
    for (const Json& scale : job.at("scales")) {
      if (!scale.contains("error")) continue;
      ++hits.all;
      hits.near += std::abs(scale.at("error").get<double>()) <= 0.1 ? 1 : 0;
      const double measured = scale.at("measured");
      hits.inside += scale.at("low") <= measured && measured <= scale.at("high") ? 1 : 0;
    }
  }
  return hits;
}

/// Of figures that know one node only, the links between nodes can but be guessed.
TEST(Foretelling, OfPublishedScalesFromOneNode) {
  Hits sum;
  for (const char* job : {"resnet50*fp32*", "resnet50*amp-fp16/b128*", "bert:full*fp32/b32/*",
                          "bert:full*amp-fp16/b96/*", "arcface*"}) {
    const Hits some = hits({"--fit-up-to", "8", "--only", job});
    sum = {sum.all + some.all, sum.near + some.near, sum.inside + some.inside};
  }
  EXPECT_EQ(sum.all, 14);
  EXPECT_GE(sum.near, 8);
  EXPECT_GE(sum.inside, 12);
}

TEST(Foretelling, OfPublishedScalesFromTwoNodes) {
  const Hits found = hits({"--fit-up-to", "16", "--only", "deeplabv3p:full/*"});
  EXPECT_EQ(found.all, 2);
  EXPECT_EQ(found.near, 2);
  EXPECT_EQ(found.inside, 2);
}

}  // namespace
}  // namespace trainmark::e2e
