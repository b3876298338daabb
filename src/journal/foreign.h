#pragma once

#include <filesystem>
#include <vector>

#include "logs/figure.h"

namespace trainmark {

/// Adds figures that were read from logs to a journal, so that reports and comparisons hold them
/// beside measured ones. Each is marked: its framework is `log:DIALECT`, it carries the verdict
/// `foreign`, and its record names the file. Figures that are missing are left out; how many were
/// added is returned.
std::size_t add_foreign_runs(const std::filesystem::path& folder,
                             const std::vector<LogFigure>& figures);

}  // namespace trainmark
