// What stands below the tables of a terminal: lines under headings, and the warnings among them.

#include "report/formats/warning_lines.h"

#include <fmt/format.h>

#include <ostream>
#include <vector>

#include "base/text.h"
#include "base/wrapped.h"
#include "report/content/conclusion.h"

namespace trainmark {

void write_heading(std::string_view words, const TerminalOptions& options, std::ostream& out) {
  out << '\n' << (options.colour ? fmt::format("\x1b[1m{}\x1b[0m", words) : words) << '\n';
}

void write_line(const std::string& where, const TableCell& about, const std::string& said,
                const TerminalOptions& options, std::ostream& out) {
  constexpr std::size_t margin = 2, indent = 4;
  const std::size_t used = margin + display_width(where) + display_width(about.text);
  out << std::string(margin, ' ') << where << coloured(about.text, about.tone, options)
      << wrapped(said, options.width, indent, used) << '\n';
}

void write_warnings(const ReportInput& input, const WarningCodes& codes, std::ostream& out) {
  const std::vector<FoldedWarning> warnings = folded_warnings(input.results);
  if (warnings.empty()) return;
  write_heading(say(Word::warnings_heading, input.language), input.options, out);
  for (const FoldedWarning& warning : warnings) {
    const auto code = codes.find(warning.first->name);
    const std::string cells =
        say(Word::warning_cells, input.language, warning.cells, input.results.size());
    write_line(code == codes.end() ? "" : code->second + " ",
               {printable(warning.first->name), Tone::doubtful},
               fmt::format("{}{}{}", in_brackets(cells, input.language), colon(input.language),
                           printable(detail_in(input.language, warning.first->message), 400)),
               input.options, out);
  }
}

}  // namespace trainmark
