// Audits for programs: CSV and JSON. docs/audit.md lists what they hold.

#include <cmath>
#include <nlohmann/json.hpp>
#include <ostream>

#include "journal/record.h"
#include "report/audit/audit_format.h"
#include "report/content/result_json.h"
#include "report/writing/csv_fields.h"

namespace trainmark {

namespace {

using Json = nlohmann::json;

Json number_or_null(double value) {
  return std::isfinite(value) ? Json(value) : Json(nullptr);
}

std::string reason_name(const AuditedClaim& claim) {
  return claim.explanation ? text(claim.explanation->reason) : "";
}

void write_csv(const AuditInput& input, std::ostream& out) {
  out << "line,log,published,unit,recomputed,recomputed_unit,difference,grade,reason,explanation,"
         "explained,method,gpus,nodes,batch,precision,dialect\n";
  for (const AuditedClaim& claim : input.audit.claims) {
    const LogFigure& figure = claim.figure;
    const bool known = figure.throughput > 0;
    csv_line(out, claim.claim.line, claim.claim.log, claim.claim.published, claim.claim.unit,
             known ? figure.throughput : not_known, figure.unit, claim.off,
             std::string(text(claim.grade)), reason_name(claim), reason_words(claim, Language::en),
             claim.explanation ? claim.explanation->value : not_known, figure.method, figure.gpus,
             figure.nodes, figure.batch, figure.precision, figure.dialect);
  }
}

Json claim_json(const AuditedClaim& claim) {
  Json json = {{"line", claim.claim.line},           {"log", claim.claim.log},
               {"published", claim.claim.published}, {"unit", claim.claim.unit},
               {"grade", text(claim.grade)},         {"difference", number_or_null(claim.off)}};
  if (claim.figure.throughput > 0) json["recomputed"] = claim.figure;
  if (!claim.trouble.empty()) json["trouble"] = claim.trouble;
  if (claim.explanation)
    json["explanation"] = {{"reason", text(claim.explanation->reason)},
                           {"how", claim.explanation->how},
                           {"figure", number_or_null(claim.explanation->value)},
                           {"words", reason_words(claim, Language::en)}};
  return json;
}

void write_json(const AuditInput& input, std::ostream& out) {
  const Audit& audit = input.audit;
  Json claims = Json::array();
  for (const AuditedClaim& claim : audit.claims) claims.push_back(claim_json(claim));
  Json counts = Json::object();
  for (const Grade grade :
       {Grade::within_1, Grade::within_3, Grade::within_10, Grade::off, Grade::missing})
    counts[text(grade)] = audit.count(grade);
  out << json_text({{"schema", schema_version},
                    {"table", audit.table},
                    {"logs", audit.folder},
                    {"by_rules", audit.by_rules},
                    {"without_figure", audit.without_figure},
                    {"counts", std::move(counts)},
                    {"figures", std::move(claims)}},
                   1)
      << '\n';
}

const Registration<AuditFormat> registered_csv("csv", {"one line per figure, for spreadsheets",
                                                       write_csv});
const Registration<AuditFormat> registered_json("json", {"everything, for programs", write_json});

}  // namespace

}  // namespace trainmark
