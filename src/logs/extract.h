#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "logs/figure.h"
#include "logs/log_files.h"
#include "logs/scaling.h"

namespace trainmark {

struct ExtractOptions {
  std::string dialect;        // empty: found from the text
  std::string pattern;        // a dialect described by an expression with named groups
  std::string scope = "job";  // of the pattern's figures
  std::string rule;           // an author's rule in words; empty: the default
  GivenFacts given;
};

/// What was read from all the logs that were named.
struct Extraction {
  std::vector<LogFigure> figures;
  std::vector<PassedOver> passed_over;  // files in folders that are no logs, or hold no record
  std::vector<ScalingCase> cases;
  bool folder = false;            // a folder was named: cases are worth showing
  bool list_passed_over = false;  // each of them, and not only how many
};

/// The figure of one log. UserError where it cannot be read, or no dialect reads a record in it.
LogFigure extract_log(const std::filesystem::path& path, const ExtractOptions& options);

/// Told before each file of a folder: how many were read, and how many there are.
using FileObserver = std::function<void(std::size_t done, std::size_t files)>;

/// Logs, and folders with all logs that lie below them; "-" is standard input. A link to a folder
/// is not followed, so that loops end. UserError for a named file that cannot be read; in a folder
/// it is passed over.
Extraction extract_paths(const std::vector<std::string>& paths, const ExtractOptions& options,
                         const FileObserver& observe = {});

}  // namespace trainmark
