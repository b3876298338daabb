// `trainmark project` as a user would drive it.

#include <gtest/gtest.h>

#include <map>
#include <nlohmann/json.hpp>
#include <sstream>

#include "e2e/support/program.h"

namespace trainmark::e2e {
namespace {

const std::string published = TRAINMARK_SOURCE "/references/v100.csv";

TEST(Project, ATableShowsWhatWasFittedAndWhatIsOff) {
  const Outcome outcome =
      trainmark({"project", published, "--only", "arcface", "--fit-up-to", "8", "--up-to", "64"});
  ASSERT_EQ(outcome.code, 0) << outcome.errors;
  EXPECT_NE(outcome.output.find("fitted"), std::string::npos);
  EXPECT_NE(outcome.output.find("8n8g"), std::string::npos);
  EXPECT_NE(outcome.output.find("11085"), std::string::npos) << outcome.output;
}

TEST(Project, SaysWhichFigureDoesNotBelongToTheOthers) {
  const TemporaryFolder folder;
  const auto warnings = [&](const std::map<std::string, int>& points) {
    std::string text =
        "workload,framework,precision,batch,scale,throughput,unit,parameters,source\n";
    for (const auto& [scale, figure] : points)
      text += fmt::format("x,f,fp32,8,{},{},images,1e6,s\n", scale, figure);
    write_text(folder / "p.csv", text);
    const Outcome outcome = trainmark({"project", folder / "p.csv", "--up-to", "8"});
    EXPECT_EQ(outcome.code, 0) << outcome.errors;
    std::string found;
    std::istringstream lines(outcome.output);
    for (std::string line; std::getline(lines, line);)
      if (line.find("does not explain") != std::string::npos) found += line;
    return found;
  };
  EXPECT_NE(warnings({{"1n1g", 100}, {"1n2g", 190}, {"1n4g", 38000}, {"1n8g", 750}})
                .find("1n4g: measured 38000"),
            std::string::npos);
  EXPECT_EQ(warnings({{"1n1g", 100}, {"1n2g", 190}, {"1n4g", 380}, {"1n8g", 750}}), "");
}

TEST(Project, LeavesOutWhatIsNotKnownWellEnough) {
  const TemporaryFolder folder;
  const std::string head =
      "workload,framework,precision,batch,scale,throughput,unit,parameters,gradient_bytes,source\n";
  write_text(folder / "p.csv", head +
                                   "x,f,fp32,8,1n1g,100,images,1e6,,s\nx,f,fp32,8,1n2g,190,"
                                   "images,1e6,,s\ny,f,fp32,,1n1g,100,images,,,s\n");
  const Outcome some = trainmark({"project", folder / "p.csv", "--up-to", "4"});
  EXPECT_EQ(some.code, 0) << some.errors;
  EXPECT_NE(some.errors.find("left out: y:full/f/fp32/b?/cuda: its batch size"), std::string::npos)
      << some.errors;
  EXPECT_EQ(trainmark({"project", folder / "p.csv", "--only", "y:"}).code, 2);
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

TEST(Project, TakesFiguresThatWereImported) {
  const TemporaryFolder folder;
  const std::string imported = folder / "imported";
  ASSERT_EQ(trainmark({"import", published, "--into", imported}).code, 0);
  const auto projected = [](const std::string& source) {
    const Outcome outcome =
        trainmark({"project", source, "--only", "resnet50:full/NGC PyTorch/amp-fp16/b248*",
                   "--up-to", "64", "--format", "json"});
    EXPECT_EQ(outcome.code, 0) << outcome.errors;
    return nlohmann::json::parse(outcome.output).at("projections").at(0).at("scales");
  };
  const nlohmann::json ours = projected(imported);
  const nlohmann::json theirs = projected(published);
  ASSERT_EQ(ours.size(), theirs.size());
  for (std::size_t i = 0; i < ours.size(); ++i) {
    const double expected = theirs[i].at("throughput").get<double>();
    ASSERT_TRUE(ours[i].at("throughput").is_number()) << ours;
    EXPECT_NEAR(ours[i].at("throughput").get<double>(), expected, 0.05 * expected) << ours;
  }
}

}  // namespace
}  // namespace trainmark::e2e
