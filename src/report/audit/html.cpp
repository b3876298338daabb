// Audits as one page for browsers.

#include <nlohmann/json.hpp>

#include "base/text.h"
#include "report/audit/audit_format.h"
#include "report/html/data.h"

namespace trainmark {

namespace {

using Json = nlohmann::json;

Json view_of(const AuditedClaim& claim) {
  const bool known = claim.figure.throughput > 0;
  return {{"log", claim.claim.log},
          {"label", claim.claim.label},
          {"published", figure(claim.claim.published)},
          {"recomputed",
           known ? figure(claim.figure.throughput) + " " + claim.figure.unit : std::string("-")},
          {"difference", difference_text(claim)},
          {"grade", text(claim.grade)},
          {"why",
           {{"en", reason_words(claim, Language::en)}, {"zh", reason_words(claim, Language::zh)}}}};
}

void write_page(const AuditInput& input, std::ostream& out) {
  const Audit& audit = input.audit;
  Json claims = Json::array();
  for (const AuditedClaim* claim : furthest_first(audit)) claims.push_back(view_of(*claim));
  write_html_view("audit", {{"by_rules", audit.by_rules}, {"claims", std::move(claims)}},
                  say(Word::audit_title, input.language, audit.table), input.language, out);
}

const Registration<AuditFormat> registered_page("html",
                                                {"one page for browsers", write_page, true});

}  // namespace

}  // namespace trainmark
