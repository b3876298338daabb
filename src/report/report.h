#pragma once

#include <filesystem>
#include <functional>
#include <iosfwd>
#include <string>
#include <vector>

#include "base/registry.h"
#include "journal/results.h"
#include "report/words.h"

namespace trainmark {

/// What the place allows where a report is read.
struct ReportOptions {
  std::size_t width = 0;  // columns of the terminal; 0 = as wide as it needs to be
  bool colour = false;
  bool unicode = true;
  std::filesystem::path page_folder = {};  // where the page will lie; empty = beside the journal
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
};

}  // namespace trainmark
