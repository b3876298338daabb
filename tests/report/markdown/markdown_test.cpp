#include <gtest/gtest.h>

#include "base/text.h"
#include "report/sample_journal.h"

namespace trainmark {
namespace {

bool has(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

SampleJournal sample() {
  SampleJournal journal;
  journal.suite("vision", "name: vision\nmatrix:\n  workload: resnet50\n");
  journal.contents.suites[0].overrides = {"--set interval=0.2%"};
  journal.contents.environments["machine-a"] = {{"cpu", {{"model", "A fast one"}}},
                                                {"weather", {{"sky", "clear"}}}};
  for (const char* scale : {"1n1g", "1n8g"}) {
    const double ranks = scale == std::string("1n8g") ? 7 : 1;
    journal.good(SampleJournal::cell("resnet50", "libtorch:eager", 128, scale), 400 * ranks)
        .good(SampleJournal::cell("resnet50", "jax:jit", 96, scale), 380 * ranks);
  }
  journal.failed(SampleJournal::cell("resnet50", "jax:jit", 128, "4n8g"), "out-of-memory", "full");
  return journal;
}

TEST(MarkdownReport, HasItsSevenParts) {
  const std::string text = sample().report("md");
  for (const char* heading :
       {"# Training speed: Sample\n", "## Contents\n", "## 1. What was tested\n",
        "## 2. Environment\n", "## 3. Feature support\n", "## 4. Set-up\n",
        "## 5. How to repeat it\n", "## 6. Results\n", "## 7. Logs\n"})
    EXPECT_TRUE(has(text, heading)) << heading;
  EXPECT_TRUE(has(text, "- [6. Results](#6-results)"));
  EXPECT_TRUE(has(text, "  - [resnet50 full cuda](#resnet50-full-cuda)"));
}

TEST(MarkdownReport, MatrixMarksWhatDiffersFromItsRow) {
  const std::string text = sample().report("md");
  EXPECT_TRUE(has(text,
                  "| parameters | libtorch:eager | jax:jit |\n|:-:|:-:|:-:|\n"
                  "| GPU=1,BS=128 | "));
  EXPECT_TRUE(has(text, "<sup>[BS=96]</sup> |\n| GPU=8,BS=128 | "));
  EXPECT_TRUE(has(text, "| GPU=32,BS=128 | - | failed: out of memory |"));
  EXPECT_TRUE(has(text, "A raised [BS=…]"));
}

TEST(MarkdownReport, ScalingInTheFormOfNodesAndDevices) {
  const std::string text = sample().report("md");
  EXPECT_TRUE(has(text, "| node_num | gpu_num | images/s | speed-up | efficiency |"));
  EXPECT_TRUE(has(text, "| 1 | 8 | 2800.0 | 7.00 | 0.88 |")) << text;
}

TEST(MarkdownReport, SaysHowToRepeatIt) {
  const std::string text = sample().report("md");
  EXPECT_TRUE(has(text, "```bash\ntrainmark run vision.yaml --set interval=0.2% --rounds 3\n```"));
  EXPECT_TRUE(has(text, "```yaml\nname: vision\nmatrix:\n  workload: resnet50\n```"));
  EXPECT_TRUE(has(text, "Seeds of the runs: 1"));
  EXPECT_TRUE(has(text, "`adaptive interval=0.005`"));
}

TEST(MarkdownReport, SaysWhereItWasMeasured) {
  const std::string text = sample().report("md");
  EXPECT_TRUE(has(text, "A fast one"));
  EXPECT_TRUE(has(text, "sky: clear")) << "areas of a newer version are shown, too";
}

TEST(MarkdownReport, ProgramsWithoutASuiteAreRepeatedByTheirCommand) {
  SampleJournal journal;
  journal.good(SampleJournal::cell("resnet50", "foreign:log"), 10);
  EXPECT_TRUE(has(journal.report("md"), "trainmark-train --workload resnet50\n```"));
}

TEST(MarkdownReport, DifferencesBetweenFrameworksAreNamed) {
  SampleJournal journal = sample();
  for (RunRecord& run : journal.contents.runs)
    if (run.cell.framework_name() == "jax") run.trainer["math"]["xla"] = true;
  const std::string text = journal.report("md");
  EXPECT_TRUE(has(text, "| xla | true | - |"));
  EXPECT_TRUE(has(text, "| versions | jax 2.0 | libtorch 2.0 |"));
  EXPECT_FALSE(has(text, "| parameters | 25557032")) << "what is equal is left out";
}

TEST(MarkdownReport, VerdictsAreExplained) {
  SampleJournal journal = sample();
  journal.contents.runs[0].verdicts = {{"throttled", "at 70 % of the clock"}};
  const std::string text = journal.report("md");
  EXPECT_TRUE(has(text, "- **throttled**: The device ran below its clock"));
  EXPECT_TRUE(has(text, ": at 70 % of the clock\n"));
  EXPECT_TRUE(has(text, "<sup>[!]</sup>"));
}

TEST(MarkdownReport, LogsAreLinked) {
  EXPECT_TRUE(has(sample().report("md"), "[resnet50-libtorch-r1](./runs/resnet50-libtorch-r1)"));
}

TEST(MarkdownReport, Chinese) {
  const std::string text = sample().report("md", Language::zh);
  for (const char* part : {"# 训练性能测试：Sample", "## 一、测试说明", "## 七、日志数据",
                           "(#六测试结果)", "失败：内存不足"})
    EXPECT_TRUE(has(text, part)) << part;
}

TEST(MarkdownReport, HostileTextIsNeverMarkup) {
  const std::string evil = "<img src=x>|`\n# owned\n[a](b)\x1b[0m";
  SampleJournal journal;
  Cell cell = SampleJournal::cell(evil, evil, 16, "1n8g", evil, evil);
  cell.size = evil;
  journal.suite(evil, "```\n# owned\n<img>");
  journal.contents.suites[0].title = evil;
  journal.good(cell, 10).failed(SampleJournal::cell(evil, "x"), evil, evil);
  journal.good(SampleJournal::cell(evil, "y", 16, "1n1g", evil, evil), 10);
  for (RunRecord& run : journal.contents.runs) {
    run.verdicts = {{evil, evil}};
    run.unit = run.folder = run.rule = run.id = run.environment = evil;
    run.trainer["math"][evil] = evil + run.cell.framework;
  }
  journal.contents.skips = {{SampleJournal::cell(evil, "z"), evil}};
  journal.contents.environments[evil] = {{evil, evil}, {"gpus", {{"devices", {evil}}}}};
  journal.contents.damage = {evil};
  std::string fence;  // of the code block we are in
  for (const std::string& line : split(journal.report("md"), '\n')) {
    EXPECT_EQ(line.find('\x1b'), std::string::npos);
    if (fence.empty() && line.starts_with("```")) {
      fence = line.substr(0, line.find_first_not_of('`'));
      continue;
    }
    if (line == fence) fence.clear();
    if (!fence.empty()) continue;
    EXPECT_FALSE(line.starts_with("# owned")) << line;
    EXPECT_EQ(line.find("<img"), std::string::npos) << line;
  }
}

TEST(MarkdownReport, AnEmptyJournalIsAPageThatSaysSo) {
  EXPECT_TRUE(has(SampleJournal().report("md"), "The journal holds no runs."));
}

TEST(MarkdownReport, SaysWhetherFrameworksTrainTheSame) {
  SampleJournal journal;
  const Cell ours = SampleJournal::cell("bert", "libtorch:eager");
  const Cell same = SampleJournal::cell("bert", "pytorch:eager");
  const Cell other = SampleJournal::cell("bert", "paddle:static");
  const Cell unknown = SampleJournal::cell("bert", "jax:jit");
  for (const Cell& cell : {ours, same, other, unknown}) journal.good(cell, 10);
  Proof proof;
  proof.reference = "libtorch:eager";
  proof.steps = 20;
  proof.tolerance = 1e-3;
  proof.checked = "2026-11-15T01:02:03Z";
  proof.cell = same;
  proof.versions = {{"pytorch", "2.0"}};
  proof.largest_difference = 2e-7;
  journal.contents.proofs.push_back(proof);
  proof.cell = other;
  proof.versions = {{"paddle", "2.0"}};
  proof.largest_difference = 0.5;
  proof.tensors = TensorDifferences{{0.1, 0.2, "stem.conv.weight"}, {0.3, 0.4, "head.bias"}, 0.7};
  proof.differs = {"the gradient of stem.conv.weight"};
  journal.contents.proofs.push_back(proof);
  const std::string text = journal.report("md");
  EXPECT_NE(text.find("`libtorch:eager fp32`: the reference"), std::string::npos) << text;
  EXPECT_NE(text.find("`pytorch:eager fp32`: the same: 2.0e-07 over 20 steps"), std::string::npos)
      << text;
  EXPECT_NE(text.find("`paddle:static fp32`: NOT the same: 5.0e-01"), std::string::npos) << text;
  EXPECT_NE(text.find("gradients 2.0e-01 (stem.conv.weight), updates 4.0e-01 (head.bias)"),
            std::string::npos)
      << text;
  EXPECT_NE(text.find("too far: the gradient of stem.conv.weight"), std::string::npos) << text;
  EXPECT_NE(text.find("`jax:jit fp32`: unproven"), std::string::npos) << text;
}

}  // namespace
}  // namespace trainmark
