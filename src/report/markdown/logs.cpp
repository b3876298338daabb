// The logs behind the figures, and what of the journal could not be read.

#include <filesystem>
#include <ostream>

#include "report/content/figures.h"
#include "report/content/way_to_logs.h"
#include "report/markdown/sections.h"
#include "report/writing/markdown_text.h"

namespace trainmark {

void write_logs(const ReportInput& input, std::ostream& out) {
  out << "## " << say(Word::logs_heading, input.language) << "\n\n"
      << "<details><summary>" << say(Word::logs_note, input.language) << "</summary>\n\n";
  const std::filesystem::path way = way_to_logs(input);
  for (const Result& result : input.results) {
    out << "- " << markdown_code(result.cell.key()) << ":";
    for (const auto* runs : {&result.runs, &result.failed})
      for (const RunRecord* run : *runs)
        out << ' '
            << (run->folder.empty() ? markdown_text(run->id)
                                    : markdown_link(run->id, (way / run->folder).string()));
    out << '\n';
  }
  out << "\n</details>\n";
  if (input.contents.damage.empty()) return;
  out << '\n' << say(Word::damaged_records, input.language) << ":\n\n";
  for (const std::string& damage : input.contents.damage)
    out << "- " << markdown_text(detail_in(input.language, damage)) << '\n';
}

}  // namespace trainmark
