#pragma once

#include <filesystem>
#include <string>

#include "logs/figure.h"

namespace trainmark {

struct ExtractOptions {
  std::string dialect;  // empty: found from the text
  std::string pattern;  // a dialect described by an expression with named groups
  std::string rule;     // an author's rule in words; empty: the default
  GivenFacts given;
};

/// The figure of one log. UserError where it cannot be read, or no dialect reads a record in it.
LogFigure extract_log(const std::filesystem::path& path, const ExtractOptions& options);

}  // namespace trainmark
