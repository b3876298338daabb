#include "report/comparison/comparison.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <sstream>

#include "base/text.h"
#include "report/sample_journal.h"

namespace trainmark {
namespace {

class ComparisonReport : public testing::Test {
 protected:
  ComparisonReport() {
    journal.good(SampleJournal::cell("resnet50", "a"), 100)
        .good(SampleJournal::cell("bert", "a"), 50)
        .failed(SampleJournal::cell("gpt2", "a"), "timeout", "60 s");
    results = results_of(journal.contents);
    input.base_name = "before";
    input.next_name = "after";
    input.cells = {{results[0], results[0], {0.975, {0.97, 0.98}, Answer::slower, 0, ""}},
                   {results[1], results[1], {1.004, {0.98, 1.03}, Answer::unclear, 4, "noisy"}}};
    input.only_next = {results[2]};
  }

  std::string text(const std::string& format) const {
    std::ostringstream out;
    Registry<ComparisonFormat>::find(format)->write(input, out);
    return out.str();
  }

  bool has(const std::string& format, const std::string& part) const {
    return text(format).find(part) != std::string::npos;
  }

  SampleJournal journal;
  std::vector<Result> results;
  ComparisonInput input;
};

TEST_F(ComparisonReport, NeverABarePercentage) {
  for (const char* format : {"table", "md"}) {
    EXPECT_TRUE(has(format, "−2.50 %")) << text(format);
    EXPECT_TRUE(has(format, "−3.00 … −2.00 %"));
    EXPECT_TRUE(has(format, "slower"));
    EXPECT_TRUE(has(format, "about 4 more rounds would resolve it"));
    EXPECT_TRUE(has(format, "0 faster, 1 slower, 0 same, 1 unclear"));
    EXPECT_TRUE(has(format, "Only in after"));
    EXPECT_TRUE(has(format, "gpt2:full/a"));
    EXPECT_FALSE(has(format, "Only in before"));
  }
}

TEST_F(ComparisonReport, WhatBecameSlowerComesFirst) {
  std::reverse(input.cells.begin(), input.cells.end());
  for (const char* format : {"table", "md"})
    EXPECT_LT(text(format).find("resnet50"), text(format).find("bert")) << text(format);
}

TEST_F(ComparisonReport, WhatIsTheSameInTheEnvironmentIsNotMentioned) {
  EXPECT_FALSE(has("md", "environment"));
  input.environments = {{"Processor", "处理器", "cores", {{"2 sockets"}, {"1 socket"}}}};
  EXPECT_TRUE(has("md", "| Processor: cores | 2 sockets | 1 socket |")) << text("md");
  EXPECT_TRUE(has("table", "\n  Processor: cores: 2 sockets → 1 socket\n")) << text("table");
  input.language = Language::zh;
  EXPECT_TRUE(has("md", "| 处理器：核 | 2 个插槽 | 1 个插槽 |")) << text("md");
  EXPECT_TRUE(has("table", "处理器：核：2 个插槽 → 1 个插槽")) << text("table");
  EXPECT_TRUE(has("html", R"("zh":["2 个插槽","1 个插槽"])")) << text("html");
}

TEST_F(ComparisonReport, AdviceHasAColumnWhereThereIsAny) {
  EXPECT_TRUE(has("table", "answer   to resolve\n")) << text("table");
  EXPECT_TRUE(has("md", "| answer | to resolve |")) << text("md");
  input.cells.pop_back();
  for (const char* format : {"table", "md"}) {
    EXPECT_FALSE(has(format, "to resolve")) << text(format);
    EXPECT_FALSE(has(format, "warnings")) << text(format);
  }
}

TEST_F(ComparisonReport, AtEightyColumnsRowsCanBeToldApartAndNothingIsLost) {
  input.cells.clear();
  input.only_next.clear();
  for (const char* precision : {"fp32", "amp-bf16"}) {
    for (const int batch : {8, 16}) {
      Result result = results[1];
      result.cell = SampleJournal::cell("bert", "libtorch:eager", batch, "1n1g", precision, "cpu");
      input.cells.push_back(
          {result, result, {1.004, {0.98, 1.03}, Answer::unclear, 0, "both have one run"}});
    }
  }
  input.options.width = 80;
  const std::string shown = text("table");
  EXPECT_TRUE(shown.starts_with("workload bert, size full, framework libtorch:eager, device cpu, "))
      << shown;
  for (const char* part : {"unit images/s", "precision  batch", "  base    new   change",
                           "amp-bf16      16", "Resolving unclear results",
                           "bert:full/libtorch:eager/amp-bf16/b16/cpu/1n1g: both have one run"})
    EXPECT_NE(shown.find(part), std::string::npos) << part << '\n' << shown;
  std::istringstream lines(shown);
  for (std::string line; std::getline(lines, line);) EXPECT_LE(display_width(line), 80U) << line;
}

TEST_F(ComparisonReport, AtEightyColumnsNamesAreShortenedBeforeTheAnswerGoes) {
  for (ComparedCell& cell : input.cells) {
    const bool first = &cell == &input.cells.front();
    cell.base.cell =
        SampleJournal::cell("a_workload_of_a_long_name", "a framework of a long name", 96,
                            first ? "1n1g" : "16n16g", first ? "fp32" : "amp-fp16");
    if (first) cell.base.cell.workload = "another_of_a_long_name";
    if (first) cell.base.cell.framework = "another framework, of a long name";
    cell.base.cell.size = first ? "full" : "as-published";
    cell.base.cell.batch = first ? 96 : 128;
  }
  for (const std::size_t width : {80, 50}) {  // with 50, some of the keys must go
    input.options.width = width;
    for (const char* part : {"change", "−2.50 %", "+0.40 %", "answer", "slower", "unclear"})
      EXPECT_TRUE(has("table", part)) << part << '\n' << text("table");
  }
}

TEST_F(ComparisonReport, SaysWhatVanishedAndWhyTheGateTrips) {
  input.only_base = {results[0]};
  input.gate = {{results[0].cell.key(), Word::gate_missing}};
  for (const char* format : {"table", "md"})
    EXPECT_TRUE(has(format, "1 unclear; missing from NEW: 1")) << text(format);
  EXPECT_TRUE(has("md", "## Gate failed\n\n- `resnet50:full/a"));
  EXPECT_TRUE(has("html", "missing from NEW"));
  const auto json = nlohmann::json::parse(text("json"));
  EXPECT_EQ(json.at("summary").at("missing"), 1);
  ASSERT_EQ(json.at("gate").size(), 1U);
  EXPECT_EQ(json["gate"][0].at("key"), results[0].cell.key());
}

TEST_F(ComparisonReport, OneRoundIsOne) {
  input.cells[1].comparison.more_rounds = 1;
  for (const char* format : {"table", "md"})
    EXPECT_TRUE(has(format, "about 1 more round would resolve it")) << text(format);
}

TEST_F(ComparisonReport, PlainLettersWhereAsked) {
  input.options.unicode = false;
  for (const char letter : text("table")) EXPECT_LT(static_cast<unsigned char>(letter), 0x80);
}

TEST_F(ComparisonReport, Json) {
  const auto json = nlohmann::json::parse(text("json"));
  EXPECT_EQ(json.at("schema"), 1);
  EXPECT_EQ(json.at("summary").at("slower"), 1);
  ASSERT_EQ(json.at("comparisons").size(), 2u);
  EXPECT_EQ(json["comparisons"][0].at("answer"), "slower");
  EXPECT_DOUBLE_EQ(json["comparisons"][0].at("ratio"), 0.975);
  EXPECT_DOUBLE_EQ(json["comparisons"][0].at("low"), 0.97);
  EXPECT_DOUBLE_EQ(json["comparisons"][0].at("high"), 0.98);
  EXPECT_FALSE(json["comparisons"][0].contains("more_rounds"));
  EXPECT_EQ(json["comparisons"][1].at("more_rounds"), 4);
  EXPECT_EQ(json.at("only_new").size(), 1u);
}

TEST_F(ComparisonReport, PageForBrowsers) {
  const std::string page = text("html");
  const std::string opening = R"(<script type="application/json" id="data">)";
  const std::size_t begin = page.find(opening) + opening.size();
  const auto data =
      nlohmann::json::parse(page.substr(begin, page.find("</script>", begin) - begin));
  const auto& cell = data.at("comparison").at("cells").at(0);
  EXPECT_DOUBLE_EQ(cell.at("ratio"), 0.975);
  EXPECT_DOUBLE_EQ(cell.at("low"), 0.97);
  EXPECT_DOUBLE_EQ(cell.at("high"), 0.98);
  EXPECT_EQ(cell.at("interval"), "−3.00 … −2.00 %");
  EXPECT_EQ(cell.at("answer"), "slower");
  EXPECT_EQ(data.at("comparison").at("counts").at("unclear"), 1);
}

TEST_F(ComparisonReport, WithoutAFigureThereIsNoChange) {
  input.cells = {{results[2],
                  results[0],
                  {0, {0, std::numeric_limits<double>::infinity()}, Answer::unclear, 0, "no run"}}};
  EXPECT_TRUE(has("table", "no run"));
  EXPECT_TRUE(has("table", "?"));
  EXPECT_TRUE(nlohmann::json::parse(text("json"))["comparisons"][0].at("ratio").is_null());
}

TEST_F(ComparisonReport, NothingInCommon) {
  input.cells.clear();
  EXPECT_TRUE(has("table", "no cell in common"));
}

TEST_F(ComparisonReport, HostileNames) {
  input.base_name = input.next_name = "<b>|\n# x\x1b[0m";
  input.cells[0].base.cell.workload = "<b>|\n# x\x1b[0m";
  EXPECT_FALSE(has("table", "\x1b"));
  EXPECT_FALSE(has("md", "<b>"));
  EXPECT_FALSE(has("md", "\n# x"));
}

}  // namespace
}  // namespace trainmark
