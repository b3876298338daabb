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

TEST(MarkdownReport, OpensWithTheResult) {
  SampleJournal journal = sample();
  journal.contents.runs[0].verdicts = {{"throttled", "at 70 % of the clock"}};
  const std::string text = journal.report("md");
  const std::size_t sentence =
      text.find("**libtorch:eager is fastest on resnet50: 1.05 × jax:jit.**");
  const std::size_t table = text.find("| libtorch:eager | fp32 | 128 | 1n1g |");
  EXPECT_LT(sentence, table) << text;
  EXPECT_LT(table, text.find("## Contents"));
  EXPECT_NE(text.find("| 1.00 fastest | throttled |"), std::string::npos) << text;
}

TEST(MarkdownReport, TheOpeningTableSaysOnWhatDataAndShapes) {
  SampleJournal journal;
  Cell cell = SampleJournal::cell("resnet50", "libtorch:eager", 128);
  journal.good(cell, 9000);
  cell.data = "pets";
  journal.good(cell, 6000);
  cell.data = "";
  cell.shapes = {{"image", 192}};
  journal.good(cell, 12000);
  for (const Language language : {Language::en, Language::zh}) {
    const std::string text = journal.report("md", language);
    const std::string table = text.substr(0, text.find("## "));
    for (const char* row :
         {"| resnet50 full |", "| resnet50 full,data=pets |", "| resnet50 full,image=192 |"})
      EXPECT_TRUE(has(table, row)) << row << '\n' << table;
  }
}

TEST(MarkdownReport, TellsWhatWasImportedFromWhatWasMeasuredByItsOutput) {
  SampleJournal journal;
  journal.good(SampleJournal::cell("resnet50", "read"), 400)
      .good(SampleJournal::cell("resnet50", "started"), 380);
  for (RunRecord& run : journal.contents.runs) {
    run.verdicts = {{"foreign", "another program"}};
    if (run.cell.framework == "read") run.command.clear();
  }
  const std::string text = journal.report("md");
  EXPECT_TRUE(has(text, "| 1.00 fastest | imported |")) << text;
  EXPECT_TRUE(has(text, "| 0.95 | from its output |")) << text;
  EXPECT_FALSE(has(text, "not measured")) << text;
  EXPECT_TRUE(has(journal.report("md", Language::zh), "| 0.95 | 据其输出 |"));
}

TEST(MarkdownReport, EnvironmentAndLogsAreFolded) {
  const std::string text = sample().report("md");
  const std::size_t environment = text.find("<details><summary>Environment machine-a");
  EXPECT_LT(environment, text.find("A fast one"));
  EXPECT_LT(text.find("A fast one"), text.find("</details>", environment));
  EXPECT_LT(text.rfind("<details>"), text.find("[resnet50-libtorch-r1](")) << text;
  EXPECT_TRUE(text.ends_with("</details>\n")) << text;
}

TEST(MarkdownReport, MatrixMarksWhatDiffersFromItsRow) {
  const std::string text = sample().report("md");
  EXPECT_TRUE(has(text,
                  "| parameters | libtorch:eager | jax:jit |\n|:-:|:-:|:-:|\n"
                  "| GPU=1,BS=128 | "));
  EXPECT_TRUE(has(text, "<sup>[BS=96]</sup> |\n| GPU=8,BS=128 | "));
  EXPECT_TRUE(has(text, "| GPU=32,BS=128 | - | failed: out of memory |"));
  EXPECT_TRUE(has(text, "[BS=…] marks"));
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
  EXPECT_FALSE(has(text, "| parameters | 25557032")) << "equal values are omitted";
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

TEST(MarkdownReport, LinksLeadFromThePageToTheLogs) {
  SampleJournal journal = sample();
  journal.contents.folder = "/results/quick";
  ReportOptions options;
  options.page_folder = "/results/pages";
  EXPECT_TRUE(has(journal.report("md", Language::en, options),
                  "[resnet50-libtorch-r1](./../quick/runs/resnet50-libtorch-r1)"));
  options.page_folder = "/results/quick";
  EXPECT_TRUE(has(journal.report("md", Language::en, options),
                  "[resnet50-libtorch-r1](./runs/resnet50-libtorch-r1)"));
}

TEST(MarkdownReport, Chinese) {
  const std::string text = sample().report("md", Language::zh);
  for (const char* part : {"# 训练性能测试：Sample", "## 一、测试说明", "## 七、日志数据",
                           "(#六测试结果)", "失败：内存不足（", "（`images/s`）"})
    EXPECT_TRUE(has(text, part)) << part;
}

TEST(MarkdownReport, ReasonsAndTheMachineAreChineseInAChineseReport) {
  SampleJournal journal = sample();
  journal.contents.skips = {{SampleJournal::cell("resnet50", "paddle:static", 128),
                             "libcuda.so.1 was not found: there is no NVIDIA driver"}};
  journal.contents.environments[journal.contents.runs[0].environment] = {
      {"cpu", {{"physical_cores", 2}, {"logical_cores", 4}, {"sockets", 1}, {"numa_nodes", 1}}},
      {"memory", {{"total_bytes", 8 * 1024.0 * 1024 * 1024}}}};
  const std::string text = journal.report("md", Language::zh);
  for (const char* part :
       {"> [1] 未找到 libcuda.so.1：没有 NVIDIA 驱动 <br>\n",
        "跳过：未找到 libcuda.so.1：没有 NVIDIA 驱动",
        "  - 核：物理核 2，逻辑核 4，1 个插槽，1 个 NUMA 节点；可用 ?\n", "  - 总量：8 GiB\n"})
    EXPECT_TRUE(has(text, part)) << part << '\n' << text;
}

TEST(MarkdownReport, TheClockComesWithTrainmark) {
  SampleJournal journal;
  journal.good(SampleJournal::cell("clock", "clock:spin", 1), 200);
  const std::string text = journal.report("md");
  EXPECT_TRUE(has(text, "comes with Trainmark")) << text;
  EXPECT_FALSE(has(text, "trainmark setup clock")) << "which is refused";
}

TEST(MarkdownReport, OneFrameworkIsComparedWithNobody) {
  SampleJournal journal;
  journal.good(SampleJournal::cell("bert", "a"), 200);
  EXPECT_FALSE(has(journal.report("md"), "× best"));
  journal.good(SampleJournal::cell("bert", "b"), 100);
  EXPECT_TRUE(has(journal.report("md"), "× best"));
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
  EXPECT_NE(text.find("`libtorch:eager fp32`: reference"), std::string::npos) << text;
  EXPECT_NE(text.find("`pytorch:eager fp32`: same: 2.0e-07 over 20 steps"), std::string::npos)
      << text;
  EXPECT_NE(text.find("`paddle:static fp32`: NOT the same: 5.0e-01"), std::string::npos) << text;
  EXPECT_NE(text.find("gradients 2.0e-01 (stem.conv.weight), updates 4.0e-01 (head.bias)"),
            std::string::npos)
      << text;
  EXPECT_NE(text.find("out of tolerance: the gradient of stem.conv.weight"), std::string::npos)
      << text;
  EXPECT_NE(text.find("`jax:jit fp32`: not verified"), std::string::npos) << text;
}

TEST(MarkdownReport, WhatWasSkippedIsAnEmptyCellWithItsReason) {
  SampleJournal journal = sample();
  const char* const reason = "there is no <GPU>";
  journal.contents.skips = {
      {SampleJournal::cell("resnet50", "paddle:static", 128), reason},
      {SampleJournal::cell("resnet50", "paddle:static", 128, "1n8g"), reason},
      {SampleJournal::cell("resnet50", "jax:jit", 256, "1n1g", "amp-fp16"), "no such precision"}};
  const std::string text = journal.report("md");
  EXPECT_TRUE(has(text, "| parameters | libtorch:eager | jax:jit | paddle:static |\n")) << text;
  EXPECT_TRUE(has(text, " | –<sup>[1]</sup> |\n| GPU=8,BS=128 | ")) << text;
  EXPECT_TRUE(has(text, "> [1] there is no &lt;GPU&gt; <br>\n")) << text;
  EXPECT_FALSE(has(text, "> [2] there is no")) << "a reason is told once";
  EXPECT_TRUE(has(text, "#### amp-fp16\n\n| parameters |")) << "a table of nothing is a table";
  EXPECT_TRUE(has(text, "| GPU=1,BS=256 | - | –<sup>[1]</sup> | - |")) << text;
}

TEST(MarkdownReport, PublishedFiguresStandBesideOnRequest) {
  ReportOptions options;
  PublishedFigure figure;
  figure.cell = SampleJournal::cell("resnet50", "PaddlePaddle", 96, "1n8g");
  figure.throughput = 2753.3;
  figure.unit = "images";
  figure.source = "a report";
  options.references = {figure};
  const std::string text = sample().report("md", Language::en, options);
  EXPECT_TRUE(has(text, "| jax:jit | PaddlePaddle (published) |")) << text;
  EXPECT_TRUE(has(text, "| 2753.3<sup>[BS=96]</sup> |\n")) << text;
  EXPECT_TRUE(has(text, "Published columns are figures of others"));
  EXPECT_FALSE(has(sample().report("md"), "published)"));
}

TEST(MarkdownReport, SaysWhatAMillionItemsCost) {
  ReportOptions options;
  options.price = Price{3.6, false};
  const std::string text = sample().report("md", Language::en, options);
  EXPECT_TRUE(has(text, "| GPU busy | cost per 10⁶ items | warnings |")) << text;
  EXPECT_TRUE(has(text, "| 2.499 |")) << "400.1 images a second, 3.6 an hour: " << text;
  EXPECT_FALSE(has(sample().report("md"), "cost per"));
}

TEST(MarkdownReport, SaysWhatFits) {
  SampleJournal journal = sample();
  Cell cell = SampleJournal::cell("arcface", "libtorch:graph", 128, "1n1g", "amp-fp16");
  cell.shapes["classes"] = 2743744;
  journal.good(cell, 900);
  journal.contents.batches = {{cell, 9, "classes", std::nullopt},
                              {SampleJournal::cell("resnet50", "x", 128), 1, "", 128}};
  const std::string text = journal.report("md");
  EXPECT_TRUE(
      has(text, "| arcface | full | libtorch:graph | amp-fp16 | 1n1g | classes | 2743744 | 9 | "))
      << text;
  EXPECT_FALSE(has(text, "| resnet50 | full | x |")) << "a wish that came true is no finding";
}

}  // namespace
}  // namespace trainmark
