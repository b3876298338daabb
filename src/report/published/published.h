#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "base/cell.h"
#include "journal/foreign.h"
#include "journal/record.h"
#include "journal/results.h"

namespace trainmark {

/// A figure that somebody has published, with where it stands.
struct PublishedFigure {
  Cell cell;
  std::string unit;  // "images"
  double throughput = 0;
  std::string source;
  std::optional<double> seconds_to_train;
  std::optional<double> accuracy;        // percent
  std::optional<double> parameters;      // of the model, as far as its gradients are sent
  std::optional<double> gradient_bytes;  // of one parameter, as it is sent
};

/// Reads a file of published figures: CSV with a line of names (docs/reports.md). Throws UserError,
/// naming file and line.
std::vector<PublishedFigure> read_published(const std::filesystem::path& file);

/// Adds published figures to the journal in a folder, each marked as foreign, with its source.
/// Those that the journal holds already are not added again.
AddedFigures add_published_runs(const std::filesystem::path& folder,
                                const std::vector<PublishedFigure>& figures);

/// Published figures as results, so that they can stand in the tables of a report.
class PublishedResults {
 public:
  explicit PublishedResults(const std::vector<PublishedFigure>& figures);
  PublishedResults(const PublishedResults&) = delete;
  PublishedResults& operator=(const PublishedResults&) = delete;

  const std::vector<Result>& results() const { return results_; }

 private:
  JournalContents contents_;  // the results point into it
  std::vector<Result> results_;
};

/// "seconds_to_train" or "accuracy" of a run that is a published figure.
std::optional<double> published_fact(const RunRecord& run, const char* name);

}  // namespace trainmark
