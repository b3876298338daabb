// The machine and its software, area by area as `trainmark env` has them.

#include <ostream>

#include "base/text.h"
#include "report/content/environment_parts.h"
#include "report/content/environment_uses.h"
#include "report/markdown/sections.h"
#include "report/writing/markdown_text.h"
#include "report/writing/table.h"

namespace trainmark {

namespace {

constexpr std::size_t most_linked = 32;  // GPUs of one machine

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
      const std::string name = label.empty() ? "" : label_in(language, label);
      out << "  - " << markdown_text(name) << markdown_text(fact_in(language, value)) << '\n';
    }
  }
  out << '\n';
}

/// Which link leads from one GPU to another, as nvidia-smi's own matrix has it.
void write_topology(const nlohmann::json& environment, Language language, std::ostream& out) {
  const auto gpus = environment.find("gpus");
  if (gpus == environment.end() || !gpus->is_object() || !gpus->contains("links")) return;
  const nlohmann::json& links = (*gpus)["links"];
  if (!links.is_array() || links.size() < 2 || links.size() > most_linked) return;
  Table table;
  table.columns.push_back({"", Align::left});
  for (std::size_t i = 0; i < links.size(); ++i)
    table.columns.push_back({fmt::format("GPU{}", i), Align::centre});
  for (std::size_t row = 0; row < links.size(); ++row) {
    std::vector<TableCell> cells = {fmt::format("GPU{}", row)};
    for (std::size_t i = 0; i < links.size(); ++i) {
      const bool known =
          links[row].is_array() && i < links[row].size() && links[row][i].is_string();
      cells.emplace_back(known ? links[row][i].get<std::string>() : "-");
    }
    table.rows.push_back(std::move(cells));
  }
  out << "**" << say(Word::topology, language) << "**\n";
  write_markdown(table, out);
}

}  // namespace

void write_environment(const ReportInput& input, std::ostream& out) {
  out << "## " << say(Word::environment_heading, input.language) << "\n\n";
  bool any = false;
  for (const auto& [id, use] : environment_uses(input.contents)) {
    const auto found = input.contents.environments.find(id);
    if (found == input.contents.environments.end() || !found->second.is_object()) continue;
    any = true;
    out << "<details><summary>"
        << say(Word::environment_used_by, input.language, markdown_text(id), use.runs)
        << "</summary>\n\n";
    if (!use.hosts.empty()) {
      const std::vector<std::string> hosts(use.hosts.begin(), use.hosts.end());
      out << markdown_text(say(Word::environment_hosts, input.language, join(hosts, ", ")))
          << "\n\n";
    }
    const std::vector<EnvironmentPart> parts = environment_parts(found->second);
    write_parts(Word::machine, parts, false, input.language, out);
    write_topology(found->second, input.language, out);
    write_parts(Word::software, parts, true, input.language, out);
    out << "</details>\n\n";
  }
  if (!any) out << say(Word::no_environment, input.language) << "\n\n";
}

}  // namespace trainmark
