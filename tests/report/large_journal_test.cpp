#include <gtest/gtest.h>

#include <chrono>

#include "report/sample_journal.h"

namespace trainmark {
namespace {

/// Ten thousand cells of one workload: what would show any work that grows with the square.
std::vector<std::string> record_texts(std::size_t cells) {
  std::vector<std::string> texts;
  for (std::size_t i = 0; i < cells; ++i) {
    const int batch = 1 + static_cast<int>(i % 100);
    const std::string framework = fmt::format("framework{}:mode", i / 100 % 10);
    const std::string workload = fmt::format("workload{}", i / 1000 % 10);
    for (int round = 1; round <= 3; ++round) {
      RunRecord run = SampleJournal::run(SampleJournal::cell(workload, framework, batch),
                                         100 + static_cast<double>(i), round);
      run.conditions = {{"text", std::string(200, 'x')}};
      texts.push_back(to_record(run).dump());
    }
  }
  return texts;
}

TEST(LargeJournal, TenThousandResultsAreReadAndReportedSoon) {
  const std::vector<std::string> texts = record_texts(10'000);
  const auto begin = std::chrono::steady_clock::now();
  const auto passed = [&] {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  };
  SampleJournal journal;
  journal.contents.runs.reserve(texts.size());
  for (const std::string& text : texts)
    journal.contents.runs.push_back(run_from_record(nlohmann::json::parse(text)));
  const double read = passed();
  for (const std::string& format : Registry<ReportFormat>::names()) {
    const double before = passed();
    EXPECT_GT(journal.report(format).size(), 100'000u);
    RecordProperty(format + "_ms", static_cast<int>((passed() - before) * 1e3));
  }
  RecordProperty("read_ms", static_cast<int>(read * 1e3));
  // The measured time is a tenth of this: only work that grows with the square would get here.
  EXPECT_LT(passed(), 60);
}

}  // namespace
}  // namespace trainmark
