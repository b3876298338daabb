// The machine and its software, area by area as `trainmark env` has them.

#include <map>
#include <ostream>

#include "report/environment_parts.h"
#include "report/markdown_sections.h"
#include "report/markdown_text.h"

namespace trainmark {

namespace {

void write_parts(Word heading, const std::vector<EnvironmentPart>& all, bool software,
                 Language language, std::ostream& out) {
  std::vector<EnvironmentPart> parts;
  for (const EnvironmentPart& part : all)
    if (part.software == software) parts.push_back(part);
  if (parts.empty()) return;
  out << "**" << say(heading, language) << "**\n\n";
  for (const EnvironmentPart& part : parts) {
    out << "- " << markdown_text(part.title(language)) << '\n';
    for (const auto& [label, value] : part.lines) {
      out << "  - " << markdown_text(label) << (label.empty() ? "" : ": ") << markdown_text(value)
          << '\n';
    }
  }
  out << '\n';
}

}  // namespace

void write_environment(const ReportInput& input, std::ostream& out) {
  out << "## " << say(Word::environment, input.language) << "\n\n";
  std::map<std::string, std::size_t> used;
  for (const RunRecord& run : input.contents.runs) ++used[run.environment];
  bool any = false;
  for (const auto& [id, runs] : used) {
    const auto found = input.contents.environments.find(id);
    if (found == input.contents.environments.end() || !found->second.is_object()) continue;
    any = true;
    out << say(Word::environment_used_by, input.language, markdown_code(id), runs) << "\n\n";
    const std::vector<EnvironmentPart> parts = environment_parts(found->second);
    write_parts(Word::machine, parts, false, input.language, out);
    write_parts(Word::software, parts, true, input.language, out);
  }
  if (!any) out << say(Word::no_environment, input.language) << "\n\n";
}

}  // namespace trainmark
