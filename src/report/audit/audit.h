#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "report/audit/claim.h"
#include "report/audit/readings.h"

namespace trainmark {

/// How near a published figure and the one from its log are.
enum class Grade { within_1, within_3, within_10, off, missing };

/// "within-1", …, "missing": for programs.
const char* text(Grade grade);

/// Why a published figure does not follow from its log.
struct Explanation {
  /// The kinds of readings, and what other files tell.
  enum class Reason {
    facts,
    ranks,
    units,
    warm_up,
    rule,
    run,
    input,
    wrong_file,  // another log gives the figure
    copy,        // the log is another log's, byte for byte
    outside,     // no record of the log is as fast, or as slow
    unknown
  };
  Reason reason = Reason::unknown;
  double value = not_known;  // the figure that the reason gives
  std::string how;           // the reading, or the other file
};

const char* text(Explanation::Reason reason);

/// One published figure beside what its log says.
struct AuditedClaim {
  Claim claim;
  Grade grade = Grade::missing;
  LogFigure figure;        // where there is one
  double off = not_known;  // recomputed ÷ published - 1
  std::string trouble;     // why there is none, in words
  std::optional<Explanation> explanation;
};

struct Audit {
  std::string table;  // as the user named them
  std::string folder;
  bool by_rules = false;  // rules of the table were used
  std::size_t without_figure = 0;
  std::vector<AuditedClaim> claims;  // in the order of the table

  std::size_t count(Grade grade) const;
};

struct AuditOptions {
  bool use_rules = true;  // those that the table names; else the default for every log
  FileObserver observe = {};
};

/// Makes every figure again and looks for what explains those that differ.
Audit audit_claims(const Claims& claims, const AuditOptions& options);

/// The likeliest of the readings of a log that give a published figure; none where none does.
std::optional<Explanation> explain_by_readings(const LogReadings& readings, double published);

}  // namespace trainmark
