// The result first: a sentence and a table of figures, intervals and warnings.

#include <algorithm>
#include <ostream>

#include "base/verdict_names.h"
#include "report/content/contests.h"
#include "report/content/figures.h"
#include "report/markdown/sections.h"
#include "report/writing/markdown_text.h"
#include "report/writing/table.h"

namespace trainmark {

namespace {

std::optional<Word> place_word(const Contest& contest, Standing::Place place) {
  using Place = Standing::Place;
  if (place == Place::best && contest.standings.size() < 2) return std::nullopt;
  if (place == Place::best && !contest.ties().empty()) {
    for (const Standing* tie : contest.ties())
      if (tie->place == Place::same) return Word::place_same;
    return Word::place_unclear;
  }
  switch (place) {
    case Place::best:
      return Word::place_best;
    case Place::same:
      return Word::place_same;
    case Place::unclear:
      return Word::place_unclear;
    case Place::doubtful:
      return Word::place_doubtful;
    case Place::slower:
      break;
  }
  return std::nullopt;
}

std::string flags_of(const Result& result, Language language) {
  std::string text;
  for (const Verdict& verdict : result.verdicts) {
    if (!text.empty()) text += ", ";
    if (verdict.name == verdicts::foreign) {
      text += say(is_imported(result) ? Word::imported : Word::from_output, language);
    } else {
      text += verdict.name;
    }
  }
  return text;
}

std::string times_best(const Contest& contest, const Standing& standing, Language language) {
  if (contest.standings.size() < 2) return "-";
  const Standing* best = contest.best();
  std::string text;
  if (best && best->result->throughput.value > 0)
    text =
        fmt::format("{:.2f}", standing.result->throughput.value / best->result->throughput.value);
  if (const auto word = place_word(contest, standing.place))
    text += (text.empty() ? "" : " ") + std::string(say(*word, language));
  return text;
}

void drop_column(Table& table, std::ptrdiff_t column) {
  table.columns.erase(table.columns.begin() + column);
  for (auto& row : table.rows) row.erase(row.begin() + column);
}

}  // namespace

void write_summary(const ReportInput& input, std::ostream& out) {
  const std::vector<Contest> contests = contests_of(input);
  if (contests.empty()) return;
  const Language language = input.language;
  if (const std::string sentence = headline(contests, language); !sentence.empty())
    out << "**" << markdown_text(sentence, 2000) << "**\n";
  const auto title = [&](Word word) { return std::string(say(word, language)); };
  Table table;
  table.columns = {{title(Word::workload), Align::left},  {title(Word::framework), Align::left},
                   {title(Word::precision), Align::left}, {title(Word::batch), Align::right},
                   {title(Word::scale), Align::left},     {title(Word::throughput), Align::right},
                   {title(Word::interval), Align::right}, {title(Word::times_best), Align::left},
                   {title(Word::remarks), Align::left}};
  for (const Contest& contest : contests) {
    if (!contest.usual) continue;
    for (const Standing& standing : contest.standings) {
      const Result& result = *standing.result;
      table.rows.push_back({result.cell.workload + " " + result.cell.size_text(),
                            result.cell.framework, result.cell.precision,
                            batch_text(result.cell, true), result.cell.scale.text(),
                            throughput_text(result), interval_text(result, true),
                            times_best(contest, standing, language), flags_of(result, language)});
    }
  }
  const bool compared = std::any_of(contests.begin(), contests.end(), [](const Contest& contest) {
    return contest.usual && contest.standings.size() > 1;
  });
  if (!compared) drop_column(table, 7);
  write_markdown(table, out);
}

}  // namespace trainmark
