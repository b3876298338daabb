// The table of `trainmark run` and `trainmark report`: one row a cell, and below it what is to be
// said of the figures.

#include <algorithm>
#include <map>
#include <ostream>
#include <sstream>
#include <utility>

#include "base/text.h"
#include "report/content/figures.h"
#include "report/content/scaling.h"
#include "report/writing/table.h"

namespace trainmark {

namespace {

TableCell remarks(const Result& result, Language language) {
  const std::string failure = failure_text(result, language);
  if (!failure.empty()) return {failure, Tone::bad};
  return {verdict_names(result), Tone::doubtful};
}

constexpr std::size_t bar_width = 10;

/// How fast the fastest is among those that may be compared: same workload, size, device, scale.
using Fastest = std::map<std::string, std::pair<double, std::size_t>>;  // and how many they are

std::string rivals_key(const Cell& cell) {
  return fmt::format("{}\n{}\n{}\n{}", cell.workload, cell.size, cell.device, cell.scale.text());
}

Fastest fastest_results(const std::vector<Result>& results) {
  Fastest fastest;
  for (const Result& result : results) {
    auto& [value, count] = fastest[rivals_key(result.cell)];
    value = std::max(value, result.throughput.value);
    ++count;
  }
  return fastest;
}

std::string share_bar(const Result& result, const Fastest& fastest, bool unicode) {
  const auto& [value, count] = fastest.at(rivals_key(result.cell));
  return count > 1 && value > 0 ? bar_text(result.throughput.value / value, bar_width, unicode)
                                : "";
}

Table result_table(const ReportInput& input) {
  const Language language = input.language;
  const bool unicode = input.options.unicode;
  const bool scales = has_scales(input.results);
  const bool utilisation = has_utilisation(input.results);
  const bool energy = has_energy(input.results);
  const bool turns = has_turns(input.results);
  const auto title = [&](Word word) {
    return word == Word::interval && !unicode ? "+- 95 %" : std::string(say(word, language));
  };
  Table table;
  table.columns = {
      {title(Word::workload), Align::left, 90, 12},
      {title(Word::size), Align::left, 60, 0},
      {title(Word::framework), Align::left, 85, 10},
      {title(Word::precision), Align::left, 65, 0},
      {title(Word::batch), Align::right, 62, 0},
      {title(Word::device), Align::left, 40, 0},
      {title(Word::scale), Align::left, 55, 0},
      {title(Word::throughput), Align::right, 100, 0},
      {title(Word::interval), Align::right, 80, 0},
      {title(Word::run_count), Align::right, 45, 0},
      {title(Word::step), Align::right, 30, 0},
      {title(Word::memory), Align::right, 20, 0},
  };
  if (turns) table.columns.push_back({title(Word::versus), Align::right, 98, 0});
  if (utilisation) table.columns.push_back({title(Word::utilisation), Align::right, 35, 0});
  if (energy) table.columns.push_back({title(Word::energy), Align::right, 25, 0});
  if (scales) table.columns.push_back({title(Word::speedup), Align::right, 50, 0});
  const Fastest fastest = fastest_results(input.results);
  const bool bars = std::any_of(fastest.begin(), fastest.end(),
                                [](const auto& entry) { return entry.second.second > 1; });
  if (bars) table.columns.push_back({title(Word::share_of_fastest), Align::left, 28, 0});
  table.columns.push_back({title(Word::remarks), Align::left, 95, 12});

  for (const Result& result : input.results) {
    const Cell& cell = result.cell;
    const std::size_t all = result.runs.size() + result.failed.size();
    std::vector<TableCell> row = {
        cell.workload,
        cell.size,
        cell.framework,
        cell.precision,
        batch_text(cell, unicode),
        cell.device,
        cell.scale.text(),
        throughput_text(result),
        interval_text(result, unicode),
        result.failed.empty() ? std::to_string(all) : fmt::format("{}/{}", result.runs.size(), all),
        step_text(result),
        memory_text(result)};
    if (turns) row.emplace_back(versus_text(result, unicode));
    if (utilisation) row.emplace_back(utilisation_text(result));
    if (energy) row.emplace_back(energy_text(result));
    if (scales) row.emplace_back(ratio_text(result.speedup));
    if (bars) row.emplace_back(share_bar(result, fastest, unicode));
    row.push_back(remarks(result, language));
    table.rows.push_back(std::move(row));
  }
  return table;
}

void heading(std::string_view words, const ReportOptions& options, std::ostream& out) {
  out << '\n' << (options.colour ? fmt::format("\x1b[1m{}\x1b[0m", words) : words) << '\n';
}

/// Each series under its name.
void write_scaling_tables(const ReportInput& input, std::ostream& out) {
  std::vector<const Result*> results;
  for (const Result& result : input.results) results.push_back(&result);
  for (const ScalingSeries& series : scaling_series(results)) {
    const Cell& cell = series.cell();
    out << '\n'
        << say(Word::scaling_heading, input.language) << ": "
        << printable(fmt::format("{}:{} {}", cell.workload, cell.size, cell.framework)) << ", "
        << printable(cell.precision) << ", " << say(Word::batch, input.language) << ' '
        << batch_text(cell, input.options.unicode) << '\n';
    write_terminal(scaling_table(series, input.language), input.options, out);
  }
}

void write_remarks(const ReportInput& input, std::ostream& out) {
  bool any = false;
  for (const Result& result : input.results) {
    for (const Verdict& verdict : result.verdicts) {
      if (!std::exchange(any, true))
        heading(say(Word::remarks_heading, input.language), input.options, out);
      out << "  " << printable(result.cell.key()) << ": "
          << coloured(printable(verdict.name), Tone::doubtful, input.options) << ": "
          << printable(verdict.message, 400) << '\n';
    }
  }
}

void write_missing(const ReportInput& input, std::ostream& out) {
  bool any = false;
  const auto line = [&](const Cell& cell, const std::string& what, const std::string& reason) {
    if (!std::exchange(any, true))
      heading(say(Word::not_measured, input.language), input.options, out);
    out << "  " << printable(cell.key()) << ": "
        << coloured(printable(what, 400), Tone::bad, input.options);
    if (!reason.empty()) out << " (" << printable(reason, 400) << ')';
    out << '\n';
  };
  for (const Result& result : input.results)
    if (result.runs.empty() && !result.failed.empty())
      line(result.cell, failure_text(result, input.language), result.failed.front()->reason);
  for (const SkipRecord* skip : skipped_cells(input))
    line(skip->cell, say(Word::skipped, input.language, skip->reason), "");
}

/// The few signs that our own words use, in letters that every terminal has; any other is a '?'.
std::string plain_letters(std::string_view text) {
  static constexpr std::pair<std::string_view, std::string_view> signs[] = {
      {"÷", "/"}, {"×", "x"}, {"±", "+-"}, {"−", "-"}, {"…", "..."}, {"→", "->"}};
  std::string plain;
  while (!text.empty()) {
    const auto sign = std::find_if(std::begin(signs), std::end(signs),
                                   [&](const auto& pair) { return text.starts_with(pair.first); });
    if (sign != std::end(signs)) {
      plain += sign->second;
      text.remove_prefix(sign->first.size());
      continue;
    }
    const auto letter = static_cast<unsigned char>(text.front());
    if (letter < 0x80 || letter >= 0xC0) plain += letter < 0x80 ? text.front() : '?';
    text.remove_prefix(1);
  }
  return plain;
}

void write_all(const ReportInput& input, std::ostream& out) {
  if (input.results.empty())
    out << say(Word::no_results, input.language) << '\n';
  else
    write_terminal(result_table(input), input.options, out);
  write_scaling_tables(input, out);
  write_remarks(input, out);
  write_missing(input, out);
  if (input.contents.damage.empty()) return;
  heading(say(Word::damaged_records, input.language), input.options, out);
  for (const std::string& damage : input.contents.damage)
    out << "  " << printable(damage, 400) << '\n';
}

void write(const ReportInput& input, std::ostream& out) {
  if (input.options.unicode || input.language != Language::en) {
    write_all(input, out);
    return;
  }
  std::ostringstream text;
  write_all(input, text);
  out << plain_letters(text.str());
}

const Registration<ReportFormat> registered(
    "table", {"a table for the terminal, with what is to be said of the figures", write});

}  // namespace

}  // namespace trainmark
