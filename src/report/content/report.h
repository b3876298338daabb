#pragma once

#include <filesystem>
#include <functional>
#include <iosfwd>
#include <optional>
#include <string>
#include <vector>

#include "base/registry.h"
#include "journal/results.h"
#include "report/content/price.h"
#include "report/published/published.h"
#include "report/words/words.h"
#include "report/writing/table.h"

namespace trainmark {

/// What the place allows where a report is read.
struct ReportOptions : TerminalOptions {
  std::filesystem::path page_folder = {};  // where the page will lie; empty = beside the journal
  std::string live_version = {};  // of a page that is served: which state of the journal it shows
  /// Keeps a plot beside the report and returns its path from there; none where there is no room
  /// for files. Takes a name without ending, and an SVG.
  std::function<std::string(const std::string& name, const std::string& svg)> add_plot = {};
  std::vector<PublishedFigure> references = {};  // of others, to stand beside the measured ones
  std::optional<Price> price = {};               // of an hour, for what a million items cost
  bool details = false;                          // every warning of every cell, not each kind once
};

/// All that a report is made from: a journal, and what it adds up to.
struct ReportInput {
  const JournalContents& contents;
  const std::vector<Result>& results;  // results_of(contents)
  Language language = Language::en;
  ReportOptions options;
};

/// What a format registers: `const Registration<ReportFormat> registered("csv", {...})`.
struct ReportFormat {
  std::string summary;
  std::function<void(const ReportInput& input, std::ostream& out)> write;
  bool for_browsers = false;  // of no use on a terminal: goes into a file there
};

}  // namespace trainmark
