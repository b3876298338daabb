#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "logs/figure.h"
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
  struct PassedOver {
    std::string file;
    std::string why;
  };
  std::vector<LogFigure> figures;
  std::vector<PassedOver> passed_over;  // files in folders that are no logs of a known dialect
  std::vector<ScalingCase> cases;
  bool folder = false;  // a folder was named: cases are worth showing
};

/// The figure of one log. UserError where it cannot be read, or no dialect reads a record in it.
LogFigure extract_log(const std::filesystem::path& path, const ExtractOptions& options);

/// Logs, and folders with all that lies below them. A link to a folder is not followed, so that
/// loops end. UserError for a named file that cannot be read; in a folder it is passed over.
Extraction extract_paths(const std::vector<std::string>& paths, const ExtractOptions& options);

}  // namespace trainmark
