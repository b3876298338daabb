#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "base/cell.h"
#include "journal/record.h"
#include "logs/figure.h"

namespace trainmark {

/// What became of figures that were to be added to a journal.
struct AddedFigures {
  std::size_t added = 0;
  std::size_t known = 0;  // there already

  /// "2 figures added to DIR; 1 was there already".
  std::string text(const std::string& folder) const;
};

/// The figures of a journal by what makes them the same one, so that none is added twice.
class KnownFigures {
 public:
  /// An empty identity is none.
  void add(const std::string& identity);
  /// Is there one? It is then used up: who publishes a figure twice has two of them.
  bool take(const std::string& identity);

 private:
  std::map<std::string, std::size_t> counts_;
};

/// Adds figures that were read from logs to a journal, so that reports and comparisons hold them
/// beside measured ones. Each is marked: its framework is `log:DIALECT`, it carries the verdict
/// `foreign`, and its record names the file. Figures that are missing are left out, and so are
/// those that the journal holds already: the same log is known by what was read from it.
AddedFigures add_foreign_runs(const std::filesystem::path& folder,
                              const std::vector<LogFigure>& figures);

/// The first record of a journal whose figures were not measured.
SuiteRecord unmeasured_suite(const std::string& name, const std::string& title, std::size_t cells);

/// Puts into a cell what the log tells of the job. `said`: dimensions that somebody has told
/// already.
void complete_cell(Cell& cell, const LogFigure& figure,
                   const std::map<std::string, std::string>& said);

/// What nobody has told: 1 stands for a batch, with a verdict.
void settle_unknown(Cell& cell, Verdicts& verdicts);

/// What the figure counts: "images".
std::string unit_of(const LogFigure& figure);

}  // namespace trainmark
