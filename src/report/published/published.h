#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "base/cell.h"
#include "journal/foreign.h"
#include "journal/record.h"

namespace trainmark {

/// A figure that somebody has published, with where it stands.
struct PublishedFigure {
  Cell cell;
  std::string unit;  // "images"
  double throughput = 0;
  std::string source;
  std::optional<double> seconds_to_train;
  std::optional<double> accuracy;  // percent
};

/// Reads a file of published figures: CSV with a line of names (docs/reports.md). Throws UserError,
/// naming file and line.
std::vector<PublishedFigure> read_published(const std::filesystem::path& file);

/// Adds published figures to the journal in a folder, each marked as foreign, with its source.
/// Those that the journal holds already are not added again.
AddedFigures add_published_runs(const std::filesystem::path& folder,
                                const std::vector<PublishedFigure>& figures);

/// "seconds_to_train" or "accuracy" of a run that is a published figure.
std::optional<double> published_fact(const RunRecord& run, const char* name);

}  // namespace trainmark
