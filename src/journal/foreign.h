#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "base/cell.h"
#include "journal/record.h"
#include "journal/unmeasured.h"
#include "logs/figure.h"

namespace trainmark {

/// Adds figures that were read from logs to a journal, so that reports and comparisons hold them
/// beside measured ones. Each is marked: its framework is `log:DIALECT`, it carries the verdict
/// `foreign`, and its record names the file. Figures that are missing are left out, and so are
/// those that the journal holds already: the same log is known by what was read from it.
AddedFigures add_foreign_runs(const std::filesystem::path& folder,
                              const std::vector<LogFigure>& figures);

/// Puts into a cell what the log tells of the job. `said`: dimensions that somebody has told
/// already.
void complete_cell(Cell& cell, const LogFigure& figure,
                   const std::map<std::string, std::string>& said);

/// What nobody has told: 1 stands for a batch, with a verdict.
void settle_unknown(Cell& cell, Verdicts& verdicts);

/// What the figure counts: "images".
std::string unit_of(const LogFigure& figure);

}  // namespace trainmark
