#include <gtest/gtest.h>

#include <ctime>

#include "report/sample_journal.h"

namespace trainmark {
namespace {

/// Many cells of few workloads: what would show any work that grows with the square.
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

/// Processor seconds that reading a journal of so many results and reporting it in every format
/// take.
double seconds_for(std::size_t cells) {
  const std::vector<std::string> texts = record_texts(cells);
  const std::clock_t begin = std::clock();
  SampleJournal journal;
  journal.contents.runs.reserve(texts.size());
  for (const std::string& text : texts)
    journal.contents.runs.push_back(std::get<RunRecord>(read_record(text)));
  for (const std::string& format : Registry<ReportFormat>::names()) {
    const std::size_t size = journal.report(format).size();
    // MLPerf's log holds trainings to quality, and there is none.
    if (format != "mllog") {
      EXPECT_GT(size, 10 * cells) << format;
    }
  }
  return static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC;
}

TEST(LargeJournal, TakesTimeInProportionToItsSize) {
  const double small = seconds_for(500);
  const double large = seconds_for(4000);
  // Eight times the results: work that grows with the square would take 64 times as long.
  EXPECT_LT(large, 30 * small);
}

}  // namespace
}  // namespace trainmark
