// Real trainings on made pictures, by the workload's recipe and by recipes that are broken: reports
// say which is which.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <map>
#include <nlohmann/json.hpp>
#include <set>

#include "e2e/support/program.h"

namespace trainmark::e2e {
namespace {

namespace fs = std::filesystem;

using Json = nlohmann::json;

/// Four classes that a network learns to tell apart within two epochs.
constexpr const char* broken_recipes = R"(
matrix:
  {workload: resnet50, size: tiny, resolution: 32, batch: 16, data: pictures,
   framework: [libtorch, shuffled, wild]}
frameworks:
  libtorch: {program: [trainmark-train]}
  shuffled: {program: [trainmark-train], arguments: [--random-labels, 1]}
  wild: {program: [trainmark-train], arguments: [--warm-up, 0, --learning-rate, 3000]}
measure: {rule: quality, target: 0.9, epochs: 4, evaluate_every: 0.5}
rounds: 1
)";

TEST(BrokenRecipe, MissesTheTargetThatAHealthyOneReaches) {
  const TemporaryFolder folder;
  const auto home = empty_home(folder / "home");
  const Outcome made =
      trainmark({"data", "make", "--format", "imagefolder", "--items", "400", "--evaluation-items",
                 "100", "--classes", "4", "--width", "32", "--out", (folder / "pictures").string()},
                home);
  ASSERT_EQ(made.code, 0) << made.errors;
  write_text(folder / "broken.yaml", broken_recipes);
  const std::string results = (folder / "results").string();
  const Outcome run = trainmark({"run", (folder / "broken.yaml").string(), "--out", results}, home);
  ASSERT_EQ(run.code, 0) << run.errors;

  const Outcome report = trainmark({"report", results, "--format", "json"}, home);
  const Json json = Json::parse(report.output);
  ASSERT_EQ(json.at("results").size(), 3U) << report.output;
  std::map<std::string, int> reached;
  std::map<std::string, std::set<std::string>> warnings;
  for (const Json& result : json.at("results")) {
    const auto framework = result.at("cell").at("framework").get<std::string>();
    reached[framework] = result.at("quality").at("reached");
    for (const Json& verdict : result.at("verdicts"))
      warnings[framework].insert(verdict.at("name").get<std::string>());
  }
  EXPECT_EQ(reached, (std::map<std::string, int>{
                         {"libtorch:eager", 1}, {"shuffled:eager", 0}, {"wild:eager", 0}}));
  EXPECT_FALSE(warnings["libtorch:eager"].contains("target-missed"));
  EXPECT_TRUE(warnings["shuffled:eager"].contains("target-missed"));
  EXPECT_TRUE(warnings["wild:eager"].contains("target-missed"));
  EXPECT_NE(run.output.find("target-missed"), std::string::npos) << run.output;
}

}  // namespace
}  // namespace trainmark::e2e
