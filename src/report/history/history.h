#pragma once

#include <functional>
#include <iosfwd>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "measure/change_points.h"
#include "report/content/environment_differences.h"
#include "report/content/report.h"

namespace trainmark {

/// One journal of a history.
struct HistoryJournal {
  std::string name;     // as the user named it
  std::string started;  // UTC, ISO 8601
  std::string trainmark;
  const JournalContents* contents = nullptr;
  const std::vector<Result>* results = nullptr;
};

/// When and with what it was begun, from the journal itself.
HistoryJournal history_journal(const std::string& name, const JournalContents& contents,
                               const std::vector<Result>& results);

/// A journal that was given more than once: another spelling of its path, a copy, a bundle.
struct RepeatedJournal {
  std::string name;
  std::string counted;  // the one that is kept
};

/// Leaves out journals whose records all stand in another one, which tells the same journal by its
/// content and not by its path. One that has grown since its bundle was made is kept as it is now.
std::vector<RepeatedJournal> drop_repeated(std::vector<HistoryJournal>& journals);

/// A cell through time: those journals in which it has a figure.
struct CellHistory {
  Cell cell;
  std::string unit;
  std::vector<std::size_t> journals;   // places in HistoryInput::journals
  std::vector<const Result*> results;  // one each
  ChangeHistory changes;
};

/// All that a history report is made from.
struct HistoryInput {
  std::vector<HistoryJournal> journals;  // the oldest first
  std::vector<CellHistory> cells;
  std::vector<EnvironmentDifference> environments;
  ChangeLimits limits;
  Language language = Language::en;
  ReportOptions options;
};

struct HistoryFormat {
  std::string summary;
  std::function<void(const HistoryInput& input, std::ostream& out)> write;
};

/// Sorts the journals by time and follows every cell that several of them hold.
HistoryInput make_history(std::vector<HistoryJournal> journals, const ChangeLimits& limits);

// For the formats.

/// The throughput that a value of ChangeHistory stands for.
double throughput_of(double log_seconds);

/// "2026-11-12: −5.20 % (−5.9 … −4.4 %)".
std::string change_point_text(const HistoryInput& input, const CellHistory& cell,
                              const ChangePoint& change, bool unicode);

/// Figures as small bars, the largest the highest: "▂▄▆█", or "12345" without Unicode.
std::string spark_line(const std::vector<double>& values, bool unicode);

std::string history_summary(const HistoryInput& input);
nlohmann::json journals_json(const HistoryInput& input);

}  // namespace trainmark
