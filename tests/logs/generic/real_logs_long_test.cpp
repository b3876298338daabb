// The generic reader on real logs of others, with all dialects switched off and nothing said of the
// logs. They are not part of this project; the test runs where the folder is there
// ($TRAINMARK_LOGS, or shared/logs beside the project), and prints a table.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <iostream>
#include <map>

#include "base/error.h"
#include "logs/csv_rows.h"
#include "logs/extract.h"

namespace trainmark {
namespace {

namespace fs = std::filesystem;

using CsvRow = std::map<std::string, std::string>;

double number_in(const std::string& text) {
  return text.empty() ? not_known : std::strtod(text.c_str(), nullptr);
}

/// What a figure may be compared with: items per second, or steps per second.
struct Truth {
  std::vector<double> items, steps;
  std::vector<double> printed;  // items per second of one rank or node
};

double off(double value, const std::vector<double>& truths) {
  double least = not_known;
  for (const double truth : truths) {
    const double error = std::abs(value / truth - 1);
    if (std::isfinite(error) && !(error >= least)) least = error;
  }
  return least;
}

/// Iterations of NVIDIA's BERT in PyTorch are those of its optimizer, which has a batch of its own.
constexpr double batch_of_bert_steps = 67584;

/// Of the founding reports: the figure that an author's rule gives, and the same in steps. Where
/// the rule multiplies what the lines print by GPUs or nodes, which no line tells, the figure of
/// one is right, too.
std::map<std::string, Truth> founding_truths(const fs::path& folder) {
  std::map<std::string, Truth> truths;
  for (const CsvRow& row : csv_rows(folder / "expected.csv")) {
    Truth& truth = truths[row.at("file")];
    const double figure = number_in(row.at("reproduced"));
    truth.items.push_back(figure);
    const std::string& rule = row.at("rule");
    if (rule.find("scale=gpus") != std::string::npos)
      truth.printed.push_back(figure / number_in(row.at("gpus")));
    if (rule.find("scale=nodes") != std::string::npos)
      truth.printed.push_back(figure / number_in(row.at("nodes")));
    if (rule.find("dialect=dll_bert_pytorch") != std::string::npos)
      truth.steps.push_back(figure / batch_of_bert_steps);
    const double devices = std::max(1.0, number_in(row.at("gpus")));
    // The batch of `transformer` is a limit, and not the number of tokens.
    if (row.at("model") != "transformer")
      truth.steps.push_back(figure / (number_in(row.at("batch_size_per_gpu")) * devices));
  }
  return truths;
}

std::map<std::string, Truth> todays_truths(const fs::path& folder) {
  std::map<std::string, Truth> truths;
  for (const CsvRow& row : csv_rows(folder / "expected.csv")) {
    Truth& truth = truths[row.at("file")];
    const bool whole_run = row.at("throughput").empty();
    truth.items.push_back(number_in(row.at(whole_run ? "printed_at_end" : "throughput")));
    truth.items.push_back(number_in(row.at("throughput_without_eval_records")));
    truth.steps.push_back(number_in(row.at("steps_counted")) /
                          number_in(row.at("seconds_counted")));
    if (row.at("unit") == "steps")
      truth.steps.insert(truth.steps.end(), truth.items.begin(), truth.items.end());
  }
  return truths;
}

class GenericOnRealLogs : public testing::Test {
 protected:
  void SetUp() override {
    const char* named = std::getenv("TRAINMARK_LOGS");
    folder = named != nullptr ? fs::path(named) : fs::path(TRAINMARK_SOURCE) / "../shared/logs";
    if (!fs::exists(folder / "expected.csv")) GTEST_SKIP() << "there is no " << folder;
  }

  void read_all(const fs::path& place, const std::map<std::string, Truth>& truths) {
    for (const auto& [file, truth] : truths) read(place / file, file, truth);
  }

  void read(const fs::path& path, const std::string& file, const Truth& truth) {
    ExtractOptions options;
    options.dialect = "generic";
    ++logs;
    LogFigure figure;
    try {
      figure = extract_log(path, options);
    } catch (const UserError&) {
      std::cout << fmt::format("  {:60} nothing is read\n", file);
      return;
    }
    const double of_job =
        std::fmin(off(figure.throughput, truth.items), off(figure.steps_per_second, truth.steps));
    const double error = std::fmin(of_job, off(figure.throughput, truth.printed));
    const bool good = error <= 0.05;
    near += good ? 1 : 0;
    of_one += good && !(of_job <= 0.05) ? 1 : 0;
    std::cout << fmt::format("{} {:60} {:>12.6g} {:12} {:>10.5g} steps/s  {:6} {:8.2f} %\n",
                             good ? " " : "!", file, figure.throughput, figure.unit,
                             figure.steps_per_second, text(figure.confidence), 100 * error);
    if (figure.confidence == Confidence::high) {
      EXPECT_LE(error, 0.1) << file;
    }
  }

  fs::path folder;
  std::size_t logs = 0;
  std::size_t near = 0;
  std::size_t of_one = 0;  // of these, figures of one rank or node of several
};

TEST_F(GenericOnRealLogs, FourFifthsAreWithinFivePercent) {
  read_all(folder, founding_truths(folder));
  if (fs::exists(folder / "today/expected.csv"))
    read_all(folder / "today", todays_truths(folder / "today"));
  std::cout << fmt::format(
      "{} of {} logs are within 5 %, {} of them by the figure of one rank or node\n", near, logs,
      of_one);
  EXPECT_GE(5 * near, 4 * logs);
}

}  // namespace
}  // namespace trainmark
