// The tables of well-known reports, made again from their published figures: same rows, same
// columns, same numbers.

#include <gtest/gtest.h>

#include <fstream>
#include <sstream>

#include "e2e/support/program.h"

namespace trainmark::e2e {

namespace {

namespace fs = std::filesystem;

class PublishedTables : public testing::Test {
 protected:
  void SetUp() override {
    const Outcome outcome =
        trainmark({"import", TRAINMARK_SOURCE "/references/v100.csv", "--into", folder_ / "v100"});
    ASSERT_EQ(outcome.code, 0) << outcome.errors;
    page_ = folder_ / "report.md";
    ASSERT_EQ(
        trainmark({"report", folder_ / "v100", "--format", "md", "--out", page_, "--lang", "zh"})
            .code,
        0);
    std::ifstream file(page_);
    for (std::string line; std::getline(file, line);) text_ += plain(line) + "\n";
  }

  /// Without the marks that say that a figure has warnings: all of these are published ones.
  static std::string plain(std::string line) {
    for (const auto& [from, to] :
         {std::pair<std::string, std::string>{"<sup>[!]</sup>", ""}, {", !]", "]"}})
      for (std::size_t at = 0; (at = line.find(from, at)) != std::string::npos;)
        line.replace(at, from.size(), to);
    return line;
  }

  void expect_rows(const std::vector<std::string>& rows) const {
    std::string table;
    for (const std::string& row : rows) table += row + "\n";
    EXPECT_NE(text_.find(table), std::string::npos) << table << "\nis not in\n" << text_;
  }

  TemporaryFolder folder_;
  fs::path page_;
  std::string text_;
};

TEST_F(PublishedTables, ResNet50) {
  expect_rows(
      {"| 参数 | PaddlePaddle | NGC TensorFlow 1.15 | NGC PyTorch | NGC MXNet |",
       "|:-:|:-:|:-:|:-:|:-:|",
       "| GPU=1,BS=128 | 383.0<sup>[BS=96]</sup> | 408.3 | 364.2 | 387.1<sup>[BS=96]</sup> |",
       "| GPU=8,BS=128 | 2753.3<sup>[BS=96]</sup> | 3105.3 | 2826.8 | "
       "2998.1<sup>[BS=96]</sup> |",
       "| GPU=32,BS=128 | 10715<sup>[BS=96]</sup> | 11623 | 10393 | - |"});
  expect_rows({"| GPU=1,BS=128 | 1335.1 | 954.9 | 828.7 | 1380.6 |",
               "| GPU=1,BS=256 | 1400.1<sup>[BS=208]</sup> | 978.8 | 841.6 | "
               "1447.6<sup>[BS=192]</sup> |",
               "| GPU=8,BS=128 | 8322.9 | 7829.9 | 6014.7 | 9218.9 |"});
}

TEST_F(PublishedTables, Bert) {
  expect_rows(
      {"| 参数 | PaddlePaddle | NGC TensorFlow 1.15 | NGC PyTorch |", "|:-:|:-:|:-:|:-:|",
       "| GPU=1,BS=64 | 595.5 | 488.3 | 524.5 |", "| GPU=1,BS=96 | 628.2 | 536.1 | 543.8 |",
       "| GPU=8,BS=64 | 3902.4 | 3035.8 | 4058.3 |", "| GPU=8,BS=96 | 4202.7 | 3530.8 | 4208.1 |",
       "| GPU=32,BS=64 | 12685 | 9993.1 | 10391 |", "| GPU=32,BS=96 | 14512 | 12767 | 12062 |",
       "| GPU=32,BS=96<sup>[AccGrad=22]</sup> | - | 16554 | 16312 |",
       "| GPU=32,BS=64<sup>[AccGrad=33]</sup> | - | 14773 | 15941 |"});
}

TEST_F(PublishedTables, DeepLabWithTimeToTrainAndAccuracy) {
  EXPECT_NE(text_.find(
                "| 机器数 | 卡数 | samples/s | 加速比 | 扩展效率 | 训练用时（秒） | 准确率（%） |"),
            std::string::npos);
  for (const char* part : {"| 8 | 58.20 | 6.99 |", "44338 | 78.50 |", "| 32 | 182.1 | 21.86 |"})
    EXPECT_NE(text_.find(part), std::string::npos) << part;
}

TEST_F(PublishedTables, ArcFace) {
  for (const char* row :
       {"| 1 | 1 | 397.8 | 1.00 |", "| 1 | 4 | 1539.7 | 3.87 |", "| 1 | 8 | 2545.3 | 6.40 |",
        "| 2 | 16 | 5953.8 | 14.97 |", "| 4 | 32 | 11085 | 27.87 |"})
    EXPECT_NE(text_.find(row), std::string::npos) << row;
}

TEST_F(PublishedTables, FiveModels) {
  EXPECT_NE(text_.find("| Fluid | TensorFlow/PyTorch |"), std::string::npos);
  for (const char* model : {"cyclegan", "se_resnext50", "deeplabv3p", "bert", "transformer"})
    EXPECT_NE(text_.find(model), std::string::npos);
  EXPECT_NE(text_.find("7.300 samples/s | 6.100 samples/s |"), std::string::npos);
  EXPECT_NE(text_.find("169.4 samples/s | 153.1 samples/s |"), std::string::npos);
}

TEST_F(PublishedTables, PlotsLieBesideAndAreShown) {
  EXPECT_TRUE(fs::exists(folder_ / "report-plots/scaling-arcface-full-cuda-fp32.svg"));
  EXPECT_NE(text_.find("(./report-plots/scaling-arcface-full-cuda-fp32.svg)"), std::string::npos);
}

TEST_F(PublishedTables, StandBesideMeasuredFiguresInThePage) {
  const Outcome page = trainmark({"report", folder_ / "v100", "--format", "html", "--reference",
                                  TRAINMARK_SOURCE "/references/v100.csv"});
  EXPECT_EQ(page.code, 0);
  EXPECT_NE(page.output.find("\"source\":\"PaddlePaddle/Perf, V100-SXM2\""), std::string::npos);
  const Outcome bad = trainmark({"report", folder_ / "v100", "--reference", page_});
  EXPECT_EQ(bad.code, 2);
}

/// A framework whose trainer needs a GPU that is not there.
void write_suite_for_gpus(const fs::path& folder) {
  write_text(folder / "train",
             "#!/bin/sh\n"
             R"(echo '{"protocol":1,"versions":{},"devices":[{"name":"cuda","missing":"no GPU"}],)"
             R"("workloads":[{"name":"resnet50","unit":"images","modes":["eager"],)"
             R"("several_ranks":true,"sizes":[{"name":"full","batch":1}],)"
             R"("precisions":{"cuda":["fp32"]}}]}')"
             "\n");
  fs::permissions(folder / "train", fs::perms::owner_all);
  write_text(folder / "s.yaml",
             "matrix: {workload: resnet50, framework: mine, batch: at most 128, device: cuda, "
             "scale: [1n1g, 4n8g]}\nframeworks: {mine: {program: [" +
                 (folder / "train").string() + "]}}\n");
}

TEST(EmptyTables, ShowWhatIsMissingBesideWhatWasPublished) {
  const TemporaryFolder folder;
  write_suite_for_gpus(folder.path());
  const auto home = empty_home(folder / "home");
  const std::string suite = folder / "s.yaml", results = folder / "results";
  const Outcome shown = trainmark({"run", suite, "--dry-run"}, home);
  EXPECT_EQ(shown.code, 0) << shown.errors;
  EXPECT_NE(shown.output.find("0 of 2 cells can be measured here"), std::string::npos);
  EXPECT_NE(shown.output.find("skipped resnet50:full/mine:eager/fp32/bmax128/cuda/4n8g: no GPU"),
            std::string::npos)
      << shown.output;

  const Outcome run = trainmark({"run", suite, "--out", results}, home);
  EXPECT_EQ(run.code, 1) << "nothing was measured: " << run.errors;
  const Outcome page = trainmark({"report", results, "--format", "md", "--reference",
                                  TRAINMARK_SOURCE "/references/v100.csv"});
  EXPECT_EQ(page.code, 0) << page.errors;
  for (const char* line :
       {"- Unit: `images/s`\n", "- resnet50 full cuda (`images/s`)\n", "  1n1g, 4n8g (`n`",
        "| GPU=1,BS=128 | –<sup>[1]</sup> | 383.0<sup>[BS=96]</sup> | 408.3 | 364.2 | "
        "387.1<sup>[BS=96]</sup> |\n",
        "| GPU=32,BS=128 | –<sup>[1]</sup> | 10715<sup>[BS=96]</sup> | 11623 | 10393 | - |\n",
        "> [1] no GPU <br>\n"})
    EXPECT_NE(page.output.find(line), std::string::npos) << line << "\n" << page.output;
}

TEST(EmptyTables, AreNotForWhatNobodyKnows) {
  const TemporaryFolder folder;
  write_suite_for_gpus(folder.path());
  const auto home = empty_home(folder / "home");
  const std::string suite = folder / "s.yaml", results = folder / "results";
  for (const auto& words : {std::vector<std::string>{"--only", "vgg"},
                            {"--workload", "resnet51"},
                            {"--size", "tinny"}}) {
    std::vector<std::string> all = {"run", suite, "--out", results};
    all.insert(all.end(), words.begin(), words.end());
    EXPECT_EQ(trainmark(all, home).code, 2) << words[1];
  }
  EXPECT_FALSE(fs::exists(results));
}

}  // namespace

}  // namespace trainmark::e2e
