// `trainmark project` as a user would drive it.

#include <gtest/gtest.h>

#include <sstream>

#include <cmath>
#include <nlohmann/json.hpp>

#include "e2e/support/program.h"

namespace trainmark::e2e {
namespace {

using Json = nlohmann::json;

const std::string published = TRAINMARK_SOURCE "/docs/examples/published-scaling.yaml";

struct Hits {
  int all = 0;
  int near = 0;    // within 10 %
  int inside = 0;  // the interval
};

/// How well scales are foretold that the projection was not shown.
Hits hits(const std::vector<std::string>& more) {
  std::vector<std::string> arguments = {"project", published, "--up-to", "32", "--format", "json"};
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
TEST(Project, ForetellsPublishedScalesFromOneNode) {
  Hits sum;
  for (const char* job : {"ResNet50", "BERT", "ArcFace"}) {
    const Hits some = hits({"--fit-up-to", "8", "--only", job});
    sum = {sum.all + some.all, sum.near + some.near, sum.inside + some.inside};
  }
  EXPECT_EQ(sum.all, 14);
  EXPECT_GE(sum.near, 8);
  EXPECT_GE(sum.inside, 12);
}

TEST(Project, ForetellsPublishedScalesFromTwoNodes) {
  const Hits found = hits({"--fit-up-to", "16", "--only", "DeepLab"});
  EXPECT_EQ(found.all, 2);
  EXPECT_EQ(found.near, 2);
  EXPECT_EQ(found.inside, 2);
}

TEST(Project, ATableShowsWhatWasFittedAndWhatIsOff) {
  const Outcome outcome =
      trainmark({"project", published, "--only", "ArcFace", "--fit-up-to", "8", "--up-to", "64"});
  ASSERT_EQ(outcome.code, 0) << outcome.errors;
  EXPECT_NE(outcome.output.find("fitted"), std::string::npos);
  EXPECT_NE(outcome.output.find("8n8g"), std::string::npos);
  EXPECT_NE(outcome.output.find("11085"), std::string::npos) << outcome.output;
}

TEST(Project, SaysWhichFigureDoesNotBelongToTheOthers) {
  const TemporaryFolder folder;
  const auto warnings = [&](const char* points) {
    write_text(folder / "p.yaml", fmt::format("jobs:\n  - {{name: x, unit: images, batch: 8, "
                                              "parameters: 1e6, points: {}}}\n",
                                              points));
    const Outcome outcome = trainmark({"project", folder / "p.yaml", "--up-to", "8"});
    EXPECT_EQ(outcome.code, 0) << outcome.errors;
    std::string found;
    std::istringstream lines(outcome.output);
    for (std::string line; std::getline(lines, line);)
      if (line.find("does not explain") != std::string::npos) found += line;
    return found;
  };
  EXPECT_NE(warnings("{1n1g: 100, 1n2g: 190, 1n4g: 38000, 1n8g: 750}").find("1n4g: measured 38000"),
            std::string::npos);
  EXPECT_EQ(warnings("{1n1g: 100, 1n2g: 190, 1n4g: 380, 1n8g: 750}"), "");
}

TEST(Project, WorksOnResultsOfOurOwn) {
  const TemporaryFolder folder;
  write_text(folder / "suite.yaml", clock_suite("rule: fixed, steps: 20, skip: 2", {}));
  ASSERT_EQ(
      trainmark({"run", (folder / "suite.yaml").string(), "--out", (folder / "r").string()}).code,
      0);
  const std::string results = (folder / "r").string();
  const Outcome unknown = trainmark({"project", results});
  EXPECT_EQ(unknown.code, 2);
  EXPECT_NE(unknown.errors.find("--parameters"), std::string::npos) << unknown.errors;
  const Outcome known =
      trainmark({"project", results, "--parameters", "1e6", "--up-to", "8", "--per-node", "8"});
  EXPECT_EQ(known.code, 0) << known.errors;
  EXPECT_NE(known.output.find("1n8g"), std::string::npos) << known.output;
  EXPECT_EQ(trainmark({"project", results, "--parameters", "1e6", "--if-precision", "fp16"}).code,
            2);
  EXPECT_EQ(trainmark({"project", results, "--parameters", "1e6", "--only", "nothing"}).code, 2);
  EXPECT_EQ(trainmark({"project", results, "--format", "yaml"}).code, 2);
}

}  // namespace
}  // namespace trainmark::e2e
