// Training scripts of the shapes that people write, measured from what they print without a hint
// said of them: within 2 % of the script's own clock.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <nlohmann/json.hpp>

#include "base/files.h"
#include "base/text.h"
#include "case_name.h"
#include "e2e/support/program.h"
#include "journal/journal.h"

namespace trainmark::e2e {
namespace {

namespace fs = std::filesystem;

struct Shape {
  const char* script;
  const char* unit;
};

void PrintTo(const Shape& shape, std::ostream* out) {
  *out << shape.script;
}

/// Items of a step, and when steps ended on the script's own clock.
struct ShapeTruth {
  double items = 1;
  std::vector<double> ends;

  /// Items per second between two moments of the same clock.
  double between(double begin, double end) const {
    const auto first = std::upper_bound(ends.begin(), ends.end(), begin);
    const auto last = std::upper_bound(ends.begin(), ends.end(), end);
    return items * static_cast<double>(last - first - 1) / (*(last - 1) - *first);
  }
};

ShapeTruth truth_in(const fs::path& file) {
  ShapeTruth truth;
  std::ifstream in(file);
  in >> truth.items;
  for (double end = 0; in >> end;) truth.ends.push_back(end);
  return truth;
}

/// When the records of the run came.
std::vector<double> arrivals_of(const fs::path& results, const RunRecord& run) {
  std::vector<double> arrivals;
  std::ifstream in(results / run.folder / "events.jsonl");
  for (std::string line; std::getline(in, line);) {
    const auto event = nlohmann::json::parse(line, nullptr, false);
    if (event.is_object() && event.contains("arrival")) arrivals.push_back(event["arrival"]);
  }
  return arrivals;
}

class Shapes : public testing::TestWithParam<Shape> {};

TEST_P(Shapes, AreMeasuredWithinTwoPercentOfTheirOwnClock) {
  const TemporaryFolder folder;
  const fs::path script =
      fs::path(TRAINMARK_SOURCE) / "tests/e2e/shapes" / (std::string(GetParam().script) + ".py");
  const Outcome outcome = trainmark(
      {"measure", "--out", (folder / "results").string(), "--rounds", "1", "--max-seconds", "5",
       "--interval", "0.001", "--time-limit", "120s", "--", "python3", script.string()},
      {{"TRUTH", (folder / "truth").string()}});
  const JournalContents contents = read_journal(folder / "results");
  ASSERT_EQ(contents.runs.size(), 1U) << outcome.output << outcome.errors;
  const RunRecord& run = contents.runs.front();
  ASSERT_TRUE(run.ok) << run.reason;
  const nlohmann::json& log = run.trainer.at("log");
  // Some shapes have become dialects of their own.
  if (log.at("dialect") == "generic") {
    EXPECT_EQ(run.unit, GetParam().unit);
  }
  const ShapeTruth truth = truth_in(folder / "truth");
  const std::vector<double> arrivals = arrivals_of(folder / "results", run);
  const std::size_t last = run.summary.warmup + run.summary.used;
  ASSERT_GE(arrivals.size(), last);
  ASSERT_GE(run.summary.used, 1U);
  const std::size_t first = run.summary.warmup;
  const double expected =
      truth.between(first == 0 ? truth.ends.front() : arrivals[first - 1], arrivals[last - 1]);
  const double value = run.summary.throughput.value;
  std::cout << fmt::format("{:16} {:.5g} {}/s, {:+.2f} %, {}, {}\n", GetParam().script, value,
                           run.unit, 100 * (value / expected - 1),
                           log.at("dialect").get<std::string>(),
                           log.at("confidence").get<std::string>());
  EXPECT_NEAR(value / expected, 1, 0.02) << log.dump(1);
}

INSTANTIATE_TEST_SUITE_P(
    All, Shapes,
    testing::Values(Shape{"plain_rate", "samples"}, Shape{"plain_tokens", "tokens"},
                    Shape{"tqdm_bar", "steps"}, Shape{"rich_bar", "steps"},
                    Shape{"keras_bar", "steps"}, Shape{"lightning_bar", "steps"},
                    Shape{"logging_module", "steps"}, Shape{"stderr_interval", "steps"},
                    Shape{"json_lines", "samples"}, Shape{"two_ranks", "images"},
                    Shape{"srun_ranks", "steps"}, Shape{"epoch_only", "epochs"},
                    Shape{"counter_only", "steps"}, Shape{"cumulative", "steps"},
                    Shape{"imagenet_meter", "steps"}, Shape{"kilo_tokens", "tokens"},
                    Shape{"sample_counter", "samples"}, Shape{"csv_rows", "tokens"}),
    [](const auto& shape) { return std::string(shape.param.script); });

}  // namespace
}  // namespace trainmark::e2e
