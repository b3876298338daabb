#pragma once

#include <functional>
#include <iosfwd>
#include <string>
#include <vector>

#include "base/registry.h"
#include "report/audit/audit.h"
#include "report/content/report.h"

namespace trainmark {

/// All that a report of an audit is made from.
struct AuditInput {
  const Audit& audit;
  Language language = Language::en;
  ReportOptions options = {};
};

/// What a format of audits registers: "table", "md", "html", "csv", "json".
struct AuditFormat {
  std::string summary;
  std::function<void(const AuditInput& input, std::ostream& out)> write;
  bool for_browsers = false;  // of no use on a terminal: goes into a file there
};

// For the formats.

/// "80 figures: 60 within 1 %, …".
std::string audit_summary(const Audit& audit, Language language);

std::string grade_words(Grade grade, Language language);

/// Why it does not fit, or why there is no figure; empty where nothing is to be said.
std::string reason_words(const AuditedClaim& claim, Language language);

/// "+12.3 %"; "-" where nothing was recomputed.
std::string difference_text(const AuditedClaim& claim);

/// Those furthest off first, and last those that could not be recomputed.
std::vector<const AuditedClaim*> furthest_first(const Audit& audit);

}  // namespace trainmark
