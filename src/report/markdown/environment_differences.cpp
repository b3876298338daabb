#include "report/markdown/environment_differences.h"

#include <ostream>

#include "report/writing/table.h"

namespace trainmark {

void write_environment_differences(const std::vector<EnvironmentDifference>& differences,
                                   Language language, std::ostream& out) {
  if (differences.empty()) return;
  out << "\n## " << say(Word::environment_differences, language) << '\n';
  Table table;
  table.columns.push_back({std::string(say(Word::item, language)), Align::left});
  const std::size_t count = differences.front().lines.size();
  for (std::size_t i = 0; i < count; ++i) {
    table.columns.push_back({count == 2
                                 ? std::string(say(i == 0 ? Word::base : Word::next, language))
                                 : std::to_string(i + 1),
                             Align::left});
  }
  for (const EnvironmentDifference& difference : differences) {
    std::vector<TableCell> row = {difference.title(language)};
    for (std::string& value : difference.values(language)) row.emplace_back(std::move(value));
    table.rows.push_back(std::move(row));
  }
  write_markdown(table, out);
}

}  // namespace trainmark
