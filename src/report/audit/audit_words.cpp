#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/text.h"
#include "report/audit/audit_format.h"

namespace trainmark {

namespace {

Word reason_word(Explanation::Reason reason) {
  using Reason = Explanation::Reason;
  switch (reason) {
    case Reason::facts:
      return Word::audit_reason_facts;
    case Reason::ranks:
      return Word::audit_reason_ranks;
    case Reason::units:
      return Word::audit_reason_units;
    case Reason::warm_up:
      return Word::audit_reason_warm_up;
    case Reason::rule:
      return Word::audit_reason_rule;
    case Reason::run:
      return Word::audit_reason_run;
    case Reason::input:
      return Word::audit_reason_input;
    case Reason::wrong_file:
      return Word::audit_reason_wrong_file;
    case Reason::copy:
      return Word::audit_reason_copy;
    case Reason::outside:
      return Word::audit_reason_outside;
    case Reason::unknown:
      break;
  }
  return Word::audit_reason_unknown;
}

}  // namespace

std::string audit_summary(const Audit& audit, Language language) {
  return say(Word::audit_summary, language, audit.claims.size(), audit.count(Grade::within_1),
             audit.count(Grade::within_3), audit.count(Grade::within_10), audit.count(Grade::off),
             audit.count(Grade::missing));
}

std::string grade_words(Grade grade, Language language) {
  switch (grade) {
    case Grade::within_1:
      return std::string(say(Word::audit_within_1, language));
    case Grade::within_3:
      return std::string(say(Word::audit_within_3, language));
    case Grade::within_10:
      return std::string(say(Word::audit_within_10, language));
    case Grade::off:
      return std::string(say(Word::audit_far_off, language));
    case Grade::missing:
      break;
  }
  return std::string(say(Word::audit_missing, language));
}

std::string reason_words(const AuditedClaim& claim, Language language) {
  if (claim.grade == Grade::missing) return claim.trouble;
  if (!claim.explanation) return "";
  const Explanation& why = *claim.explanation;
  std::string words = say(reason_word(why.reason), language, why.how);
  if (why.value > 0) words += fmt::format(" → {}", figure(why.value));
  return words;
}

std::string difference_text(const AuditedClaim& claim) {
  if (!std::isfinite(claim.off)) return "-";
  const double percent = 100 * claim.off;
  return std::abs(percent) < 9.95 ? fmt::format("{:+.2f} %", percent)
                                  : fmt::format("{:+.1f} %", percent);
}

std::vector<const AuditedClaim*> furthest_first(const Audit& audit) {
  std::vector<const AuditedClaim*> order;
  for (const AuditedClaim& claim : audit.claims) order.push_back(&claim);
  const auto distance = [](const AuditedClaim* claim) {
    // Half of a figure is as far off as twice as much.
    return claim->grade == Grade::missing ? -1 : std::abs(std::log1p(claim->off));
  };
  std::stable_sort(order.begin(), order.end(),
                   [&](const AuditedClaim* left, const AuditedClaim* right) {
                     return distance(left) > distance(right);
                   });
  return order;
}

}  // namespace trainmark
