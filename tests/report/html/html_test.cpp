#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <regex>
#include <sstream>
#include <tuple>

#include "report/html/data.h"
#include "report/html/page.h"
#include "report/sample_journal.h"
#include "temporary_folder.h"

// What stands in the page. What a browser makes of it is tested in tests/browser.

namespace trainmark {
namespace {

using Json = nlohmann::json;

std::string data_text(const std::string& page) {
  const std::string opening = R"(<script type="application/json" id="data">)";
  const std::size_t begin = page.find(opening) + opening.size();
  return page.substr(begin, page.find("</script>", begin) - begin);
}

Json data_of(const SampleJournal& journal, Language language = Language::en) {
  return Json::parse(data_text(journal.report("html", language)));
}

std::size_t count(const std::string& text, const std::string& part) {
  std::size_t found = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1))
    ++found;
  return found;
}

TEST(HtmlReport, HoldsTheFiguresAsAllOtherReportsWriteThem) {
  SampleJournal journal;
  journal.good(SampleJournal::cell("resnet50", "libtorch:eager", 128), 400);
  journal.suite("quick", "matrix: {}\n");
  const Json data = data_of(journal);
  ASSERT_EQ(data["results"].size(), 1u);
  const Json& result = data["results"][0];
  EXPECT_EQ(result["key"], "resnet50:full/libtorch:eager/fp32/b128/cuda/1n1g");
  EXPECT_EQ(result["throughput"]["median"], 400);
  EXPECT_NE(journal.report("table").find(result["text"]["throughput"].get<std::string>()),
            std::string::npos);
  EXPECT_EQ(result["runs"].size(), 3u);
  EXPECT_EQ(result["runs"][1]["summary"]["warmup"], 50);
  EXPECT_EQ(data["suites"][0]["command"], "trainmark run quick.yaml --rounds 3");
}

TEST(HtmlReport, CommandsAreWordsThatRunsShare) {
  SampleJournal journal;
  journal.good(SampleJournal::cell("resnet50", "libtorch:eager"), 400);
  const Json data = data_of(journal);
  std::vector<std::string> words;
  for (const Json& place : data["results"][0]["runs"][2]["command"])
    words.push_back(data["texts"][place.get<std::size_t>()]);
  EXPECT_EQ(words, (std::vector<std::string>{"trainmark-train", "--workload", "resnet50"}));
}

TEST(HtmlReport, OnlyWhatNobodyStartedIsImported) {
  SampleJournal journal;
  for (const char* framework : {"ours", "read", "started"})
    journal.good(SampleJournal::cell("resnet50", framework), 400);
  for (RunRecord& run : journal.contents.runs) {
    if (run.cell.framework == "ours") continue;
    run.verdicts = {{"foreign", "another program"}};
    if (run.cell.framework == "read") run.command.clear();
  }
  const Json data = data_of(journal);
  for (const Json& result : data["results"])
    EXPECT_EQ(result.value("imported", false), result["cell"]["framework"] == "read") << result;
}

TEST(HtmlReport, FailuresProofsAndDifferencesAreThere) {
  SampleJournal journal;
  journal.good(SampleJournal::cell("bert", "a:x"), 10).good(SampleJournal::cell("bert", "b:y"), 20);
  journal.failed(SampleJournal::cell("bert", "c:z"), "out-of-memory", "2 GiB");
  Proof proof;
  proof.cell = SampleJournal::cell("bert", "b:y");
  proof.reference = "a:x";
  proof.versions = {{"b", "2.0"}};
  proof.steps = 20;
  proof.largest_difference = 1e-6;
  proof.tolerance = 1e-3;
  journal.contents.proofs.push_back(proof);
  const Json data = data_of(journal);
  EXPECT_EQ(data["results"][2]["status"], "failed");
  EXPECT_EQ(data["results"][2]["runs"][0]["reason"], "2 GiB");
  const Json& group = data["groups"][0];
  EXPECT_EQ(group["frameworks"], Json({"a:x", "b:y"}));
  EXPECT_EQ(group["differences"][0]["name"]["zh"], "版本");
  EXPECT_EQ(group["proofs"][0]["state"], "reference");
  EXPECT_EQ(group["proofs"][1]["state"], "same");
}

TEST(HtmlReport, OfProofsInSeveralPrecisionsItsOwnCounts) {
  SampleJournal journal;
  journal.good(SampleJournal::cell("bert", "a:x"), 10).good(SampleJournal::cell("bert", "b:y"), 20);
  for (const auto& [precision, difference] :
       {std::pair("fp64", 0.0), {"fp32", 0.5}, {"tf32", 0.0}}) {
    Proof proof;
    proof.cell = SampleJournal::cell("bert", "b:y");
    proof.cell.precision = precision;
    proof.reference = "a:x";
    proof.versions = {{"b", "2.0"}};
    proof.largest_difference = difference;
    proof.tolerance = 1e-3;
    journal.contents.proofs.push_back(proof);
  }
  EXPECT_EQ(data_of(journal)["groups"][0]["proofs"][1]["state"], "differs");
}

TEST(HtmlReport, StepTimesAreThinnedWithTheirExtremes) {
  const TemporaryFolder folder;
  SampleJournal journal;
  journal.good(SampleJournal::cell("bert", "a:x"), 10);
  journal.contents.folder = (folder / "").string();
  const auto place = folder / journal.contents.runs[0].folder;
  std::filesystem::create_directories(place);
  std::ofstream file(place / "events.jsonl");
  double end = 0;
  for (int step = 0; step < 5000; ++step) {
    const double seconds = step == 4321 ? 3.0 : 0.25;
    end += seconds;
    file << Json({{"event", "step"},
                  {"step", step},
                  {"end", end},
                  {"seconds", seconds},
                  {"items", 1}})
                .dump()
         << '\n';
  }
  file.close();
  const Json data = data_of(journal);
  const Json& trace = data["results"][0]["runs"][0]["trace"];
  EXPECT_EQ(trace["steps"], 5000);
  EXPECT_LE(trace["low"].size(), 1000u);
  EXPECT_EQ(trace["high"][4321 / trace["bucket"].get<int>()], 3.0);
  EXPECT_FALSE(data["results"][0]["runs"][1].contains("trace"));
  EXPECT_EQ(data["results"][0]["histogram"]["steps"], 100);
}

TEST(HtmlReport, WithOneFrameworkItOpensWithWhatCanBeBelieved) {
  SampleJournal journal;
  journal.good(SampleJournal::cell("resnet50", "libtorch:eager"), 400);
  const auto sentence = [&](const char* language) {
    return data_of(journal)["headline"][language].get<std::string>();
  };
  const std::string one = sentence("en");
  EXPECT_TRUE(one.starts_with("libtorch:eager trains resnet50 at 400")) << one;
  EXPECT_NE(one.find(" images/s, known to ±"), std::string::npos) << one;
  EXPECT_TRUE(one.ends_with(" or more from another such figure can be believed.")) << one;
  journal.good(SampleJournal::cell("bert", "libtorch:eager"), 50);
  EXPECT_TRUE(sentence("en").starts_with("libtorch:eager trains 2 workloads here; throughput is "))
      << sentence("en");
  EXPECT_TRUE(sentence("zh").starts_with("libtorch:eager 在此训练 2 个模型；")) << sentence("zh");
}

TEST(HtmlReport, NamesWhichVerdictsMakeAFigureDoubtful) {
  const Json doubtful = data_of({})["doubtful"];
  const auto holds = [&](const char* name) {
    return std::find(doubtful.begin(), doubtful.end(), name) != doubtful.end();
  };
  for (const char* name : {"clock-differs", "shape-mismatch", "loss-nan"})
    EXPECT_TRUE(holds(name)) << name;
  for (const char* name : {"runs-failed", "amp-slower-than-fp32", "outliers"})
    EXPECT_FALSE(holds(name)) << name;
}

TEST(HtmlReport, EnvironmentsAndWhatDiffersAreInBothLanguages) {
  SampleJournal journal;
  journal.good(SampleJournal::cell("bert", "a:x"), 10);
  for (const auto& [id, cores, now] : {std::tuple("machine-a", 1, 2000), {"machine-b", 2, 1500}})
    journal.contents.environments[id] = {
        {"cpu",
         {{"base_mhz", 2450}, {"now", {{"mhz", now}}}, {"sockets", cores}, {"numa_nodes", 1}}}};
  const Json data = data_of(journal);
  const Json& lines = data["environments"][0]["parts"][0]["lines"];
  EXPECT_EQ(
      lines[1],
      Json({{"name", "clock"},
            {"label", {{"en", "clock: "}, {"zh", "频率："}}},
            {"value",
             {{"en", "base 2450 MHz, now 2000 MHz"}, {"zh", "基准 2450 MHz，当前 2000 MHz"}}}}))
      << lines.dump();
  const Json& differences = data["environment_differences"];
  ASSERT_EQ(differences.size(), 1U) << differences.dump();
  EXPECT_EQ(differences[0]["name"]["zh"], "处理器：核");
  EXPECT_NE(differences[0]["values"]["zh"][1].get<std::string>().find("2 个插槽"),
            std::string::npos);
}

TEST(HtmlReport, LinksLeadFromThePageToTheJournal) {
  SampleJournal journal;
  journal.good(SampleJournal::cell("bert", "a:x"), 10);
  journal.contents.folder = "/results/quick";
  ReportOptions options;
  options.page_folder = "/results/pages";
  const std::string page = journal.report("html", Language::en, options);
  EXPECT_EQ(Json::parse(data_text(page))["logs"], "../quick");
  EXPECT_EQ(data_of(journal)["logs"], "");
}

TEST(HtmlReport, TheLanguageIsTheFirstToBeShown) {
  EXPECT_EQ(data_of({}, Language::zh)["language"], "zh");
  EXPECT_EQ(data_of({})["language"], "en");
}

TEST(HtmlReport, NothingEndsTheDataAndNothingIsFetched) {
  SampleJournal journal;
  const std::string hostile =
      "</script><script>alert(1)</script><!-- \u2028\u2029 \x1b \xff ]]> {{data}}";
  journal.good(SampleJournal::cell(hostile, hostile), 10);
  journal.failed(SampleJournal::cell("bert", "x"), hostile, hostile);
  journal.suite(hostile, hostile);
  journal.contents.environments["machine-a"] = {{hostile, {{hostile, hostile}}}};
  journal.contents.damage = {hostile};
  for (RunRecord& run : journal.contents.runs) {
    run.verdicts = {{hostile, hostile}};
    run.trainer = {{"math", {{hostile, hostile}}}};
  }
  const std::string page = journal.report("html");
  const std::string plain = SampleJournal().report("html");
  EXPECT_EQ(count(page, "<script"), count(plain, "<script"));
  EXPECT_EQ(count(page, "</script"), count(plain, "</script"));
  EXPECT_EQ(count(page, "\u2028"), count(plain, "\u2028"));
  const std::string data = data_text(page);
  EXPECT_EQ(data.find('<'), std::string::npos);
  EXPECT_EQ(Json::parse(data)["suites"][0]["title"], "Sample");
  EXPECT_NE(page.find("default-src 'none'"), std::string::npos);
  EXPECT_EQ(count(page, "unsafe-inline"), 0u);
  EXPECT_FALSE(std::regex_search(plain.substr(0, 2000), std::regex("(src|href)=\"http")));
}

// A suite may go on with a comment more in its file, other cells and more rounds.
TEST(HtmlReport, ALivePageCountsEveryPlannedRunOnce) {
  SampleJournal journal;
  journal.suite("quick", "matrix: {}\n");
  journal.suite("quick", "# the same\nmatrix: {}\n");
  std::vector<SuiteRecord>& suites = journal.contents.suites;
  suites[0].planned = {"a", "b"};
  suites[1].planned = {"b", "c"};
  suites[1].rounds = 4;
  const std::vector<Result> results = results_of(journal.contents);
  ReportInput input{journal.contents, results, Language::en, {}};
  input.options.live_version = "1";
  std::ostringstream text;
  write_html_data(input, text);
  EXPECT_EQ(Json::parse(text.str())["live"]["planned"], 12);
}

TEST(HtmlPage, JsonInAScriptIsSafeAndStaysTheSame) {
  const Json json = {{"a", "</script><!--\u2028\u2029"}, {"b", {1, 2.5, nullptr}}};
  const std::string safe = script_safe(json.dump());
  EXPECT_EQ(Json::parse(safe), json);
  EXPECT_EQ(safe.find('<'), std::string::npos);
  EXPECT_EQ(safe.find("\u2028"), std::string::npos);
}

}  // namespace
}  // namespace trainmark
