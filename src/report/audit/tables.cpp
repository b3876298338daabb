// Audits for people: on the terminal, where only what does not fit within 3 % is listed, and as a
// page in Markdown, which lists everything.

#include <ostream>

#include "base/text.h"
#include "report/audit/audit_format.h"
#include "report/writing/markdown_text.h"
#include "report/writing/table.h"

namespace trainmark {

namespace {

Tone tone_of_grade(Grade grade) {
  switch (grade) {
    case Grade::within_1:
    case Grade::within_3:
      return Tone::good;
    case Grade::within_10:
      return Tone::doubtful;
    case Grade::off:
    case Grade::missing:
      break;
  }
  return Tone::bad;
}

Table audit_table(const AuditInput& input, const std::vector<const AuditedClaim*>& claims) {
  const auto title = [&](Word word) { return std::string(say(word, input.language)); };
  Table table;
  table.columns = {{title(Word::audit_log), Align::left, 90, 20},
                   {title(Word::audit_published), Align::right, 95, 0},
                   {title(Word::audit_recomputed), Align::right, 94, 0},
                   {title(Word::audit_difference), Align::right, 100, 0},
                   {title(Word::audit_verdict), Align::left, 60, 0},
                   {title(Word::audit_reason), Align::left, 93, 30}};
  for (const AuditedClaim* claim : claims) {
    const Tone tone = tone_of_grade(claim->grade);
    const bool known = claim->figure.throughput > 0;
    table.rows.push_back({claim->claim.log, figure(claim->claim.published),
                          known ? figure(claim->figure.throughput) + " " + claim->figure.unit : "-",
                          TableCell(difference_text(*claim), tone),
                          TableCell(grade_words(claim->grade, input.language), tone),
                          reason_words(*claim, input.language)});
  }
  return table;
}

void write_on_terminal(const AuditInput& input, std::ostream& out) {
  std::vector<const AuditedClaim*> shown;
  for (const AuditedClaim* claim : furthest_first(input.audit))
    if (claim->grade != Grade::within_1 && claim->grade != Grade::within_3) shown.push_back(claim);
  if (!shown.empty()) {
    write_terminal(audit_table(input, shown), input.options, out);
    out << '\n';
  }
  out << audit_summary(input.audit, input.language) << '\n';
}

void write_as_markdown(const AuditInput& input, std::ostream& out) {
  const Audit& audit = input.audit;
  out << "# " << say(Word::audit_title, input.language, markdown_text(audit.table)) << "\n\n"
      << audit_summary(audit, input.language) << "\n\n"
      << say(audit.by_rules ? Word::audit_note_rules : Word::audit_note_default, input.language)
      << '\n';
  const auto order = furthest_first(audit);
  std::vector<const AuditedClaim*> off;
  for (const AuditedClaim* claim : order)
    if (claim->grade == Grade::off || claim->grade == Grade::missing) off.push_back(claim);
  if (!off.empty()) {
    out << "\n## " << say(Word::audit_reasons_heading, input.language) << "\n\n";
    for (const AuditedClaim* claim : off)
      out << "- " << markdown_code(claim->claim.log) << " (" << difference_text(*claim)
          << "): " << markdown_text(reason_words(*claim, input.language), 600) << '\n';
  }
  out << "\n## " << say(Word::audit_all, input.language) << '\n';
  write_markdown(audit_table(input, order), out);
}

const Registration<AuditFormat> registered_table("table",
                                                 {"a table for the terminal", write_on_terminal});
const Registration<AuditFormat> registered_markdown("md",
                                                    {"a page in Markdown", write_as_markdown});

}  // namespace

}  // namespace trainmark
