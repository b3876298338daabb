// The table of `trainmark run` and `trainmark report`: one row per cell, and below it warnings
// and a summary.

#include <algorithm>
#include <cctype>
#include <map>
#include <ostream>
#include <sstream>
#include <utility>

#include "base/text.h"
#include "report/content/conclusion.h"
#include "report/content/contests.h"
#include "report/content/figures.h"
#include "report/content/input_costs.h"
#include "report/content/key_columns.h"
#include "report/content/quality.h"
#include "report/content/scaling.h"
#include "report/content/what_fits.h"
#include "report/formats/warning_lines.h"
#include "report/writing/narrow_table.h"
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
  return fmt::format("{}\n{}\n{}\n{}", cell.workload, cell.size_text(), cell.device,
                     cell.scale.text());
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
  const bool busy = has_gpu_busy(input.results);
  const auto& price = input.options.price;
  const bool turns = has_turns(input.results);
  const auto title = [&](Word word) {
    return word == Word::interval && !unicode ? "+- 95 %" : std::string(say(word, language));
  };
  Table table;
  table.columns = key_columns(language);
  table.columns.push_back({title(Word::throughput), Align::right, last_to_go, 0});
  table.columns.push_back({title(Word::interval), Align::right, 80, 0});
  table.columns.push_back({title(Word::run_count), Align::right, 45, 0});
  table.columns.push_back({title(Word::step), Align::right, 30, 0});
  table.columns.push_back({title(Word::memory), Align::right, 20, 0});
  if (turns) table.columns.push_back({title(Word::versus), Align::right, 98, 0});
  if (utilisation) table.columns.push_back({title(Word::utilisation), Align::right, 35, 0});
  if (energy) table.columns.push_back({title(Word::energy), Align::right, 25, 0});
  if (busy) table.columns.push_back({title(Word::gpu_busy), Align::right, 24, 0});
  if (price) table.columns.push_back({title(Word::cost), Align::right, 97, 0});
  if (scales) table.columns.push_back({title(Word::speedup), Align::right, 50, 0});
  const Fastest fastest = fastest_results(input.results);
  const bool bars = std::any_of(fastest.begin(), fastest.end(),
                                [](const auto& entry) { return entry.second.second > 1; });
  if (bars) table.columns.push_back({title(Word::share_of_fastest), Align::left, 28, 0});
  table.columns.push_back({title(Word::remarks), Align::left, 95, 12});

  for (const Result& result : input.results) {
    if (is_self_check(result, input.results)) continue;
    const std::size_t all = result.runs.size() + result.failed.size();
    std::vector<TableCell> row = key_texts(result.cell, unicode);
    row.emplace_back(throughput_text(result));
    row.emplace_back(interval_text(result, unicode));
    row.emplace_back(result.failed.empty() ? std::to_string(all)
                                           : fmt::format("{}/{}", result.runs.size(), all));
    row.emplace_back(step_text(result));
    row.emplace_back(memory_text(result));
    if (turns) row.emplace_back(versus_text(result, unicode));
    if (utilisation) row.emplace_back(utilisation_text(result));
    if (energy) row.emplace_back(energy_text(result));
    if (busy) row.emplace_back(gpu_busy_text(result));
    if (price) row.emplace_back(cost_text(result, price));
    if (scales) row.emplace_back(ratio_text(result.speedup));
    if (bars) row.emplace_back(share_bar(result, fastest, unicode));
    row.push_back(remarks(result, language));
    table.rows.push_back(std::move(row));
  }
  return table;
}

/// A name of two parts gives two letters, such as NC; a second kind with these letters NC2.
WarningCodes warning_codes(const std::vector<Result>& results) {
  WarningCodes codes;
  std::map<std::string, int> taken;
  for (const FoldedWarning& warning : folded_warnings(results)) {
    std::string code;
    for (const std::string& word : split(warning.first->name, '-'))
      if (!word.empty() && std::isalnum(static_cast<unsigned char>(word[0])))
        code += static_cast<char>(std::toupper(static_cast<unsigned char>(word[0])));
    const int count = ++taken[code];
    codes.emplace(warning.first->name, count > 1 ? code + std::to_string(count) : code);
  }
  return codes;
}

/// Where the terminal is narrow: no column that is the same in every row, and codes for warnings.
WarningCodes make_narrow(Table& table, const ReportInput& input, std::ostream& out) {
  if (!is_too_wide(table, input.options)) return {};
  WarningCodes codes = warning_codes(input.results);
  std::size_t row = 0;
  for (const Result& result : input.results) {
    if (is_self_check(result, input.results)) continue;
    TableCell& cell = table.rows[row++].back();
    // With every warning spelt out below, nothing would explain the codes.
    if (cell.tone != Tone::doubtful || input.options.details) continue;
    std::vector<std::string> shown;
    for (const Verdict& verdict : result.verdicts) shown.push_back(codes.at(verdict.name));
    cell.text = join(shown, " ");
  }
  table.columns.back().least_width = display_width(table.columns.back().title);
  const std::vector<std::string> caption = fold_constants(table, key_column_count);
  write_caption(caption, comma(input.language), input.options, out);
  if (!caption.empty()) out << '\n';
  return codes;
}

/// Each series under its name.
void write_scaling_tables(const ReportInput& input, std::ostream& out) {
  std::vector<const Result*> results;
  for (const Result& result : input.results) results.push_back(&result);
  for (const ScalingSeries& series : scaling_series(results)) {
    const Cell& cell = series.cell();
    out << '\n'
        << say(Word::scaling_heading, input.language) << colon(input.language)
        << printable(fmt::format("{}:{} {}", cell.workload, cell.size_text(), cell.framework))
        << ", " << printable(cell.precision) << ", " << say(Word::batch, input.language) << ' '
        << batch_text(cell, input.options.unicode) << '\n';
    write_terminal(scaling_table(series, input.language), input.options, out);
  }
}

/// A table under its heading; without rows, nothing. Columns that are the same in every row are its
/// caption where it is too wide.
void write_part(Word title, Table table, const ReportInput& input, std::ostream& out) {
  if (table.rows.empty()) return;
  write_heading(say(title, input.language), input.options, out);
  write_with_caption(std::move(table), input.language, input.options, out);
}

void write_quality(const ReportInput& input, std::ostream& out) {
  write_part(Word::quality_heading, quality_table(input), input, out);
  write_part(Word::equivalence_heading, equivalence_table(input), input, out);
}

void write_conclusion(const ReportInput& input, std::ostream& out) {
  std::vector<std::string> sentences = conclusion(input);
  if (std::string first = headline(contests_of(input), input.language); !first.empty())
    sentences.insert(sentences.begin(), std::move(first));
  if (sentences.empty()) return;
  write_heading(say(Word::conclusion_heading, input.language), input.options, out);
  for (const std::string& sentence : sentences) write_line("", "", sentence, input.options, out);
}

void write_remarks(const ReportInput& input, std::ostream& out) {
  bool any = false;
  for (const Result& result : input.results) {
    for (const Verdict& verdict : result.verdicts) {
      if (!std::exchange(any, true))
        write_heading(say(Word::remarks_heading, input.language), input.options, out);
      write_line(fmt::format("{}{}", printable(result.cell.key()), colon(input.language)),
                 {printable(verdict.name), Tone::doubtful},
                 fmt::format("{}{}", colon(input.language),
                             printable(detail_in(input.language, verdict.message), 400)),
                 input.options, out);
    }
  }
}

void write_missing(const ReportInput& input, std::ostream& out) {
  bool any = false;
  const auto line = [&](const Cell& cell, const std::string& what, const std::string& reason) {
    if (!std::exchange(any, true))
      write_heading(say(Word::not_measured, input.language), input.options, out);
    const std::string why =
        reason.empty() ? "" : in_brackets(printable(reason, 400), input.language);
    write_line("", {printable(cell.key()), Tone::bad},
               fmt::format("{}{}{}", colon(input.language), printable(what, 400), why),
               input.options, out);
  };
  for (const Result& result : input.results)
    if (result.runs.empty() && !result.failed.empty())
      line(result.cell, failure_text(result, input.language),
           detail_in(input.language, result.failed.front()->reason));
  for (const SkipRecord* skip : skipped_cells(input))
    line(skip->cell, say(Word::skipped, input.language, detail_in(input.language, skip->reason)),
         "");
}

void write_damage(const ReportInput& input, std::ostream& out) {
  if (input.contents.damage.empty()) return;
  write_heading(say(Word::damaged_records, input.language), input.options, out);
  for (const std::string& damage : input.contents.damage)
    out << "  " << printable(detail_in(input.language, damage), 400) << '\n';
}

/// The few signs that our own words use, in letters that every terminal has; any other is a '?'.
std::string plain_letters(std::string_view text) {
  static constexpr std::pair<std::string_view, std::string_view> signs[] = {
      {"÷", "/"}, {"×", "x"}, {"±", "+-"}, {"−", "-"}, {"…", "..."}, {"→", "->"}, {"⁶", "^6"}};
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
  WarningCodes codes;
  if (input.results.empty()) {
    out << say(Word::no_results, input.language) << '\n';
  } else {
    Table table = result_table(input);
    codes = make_narrow(table, input, out);
    write_terminal(table, input.options, out);
  }
  write_scaling_tables(input, out);
  write_quality(input, out);
  if (const Table costs = input_costs(input); !costs.rows.empty()) {
    write_heading(say(Word::input_heading, input.language), input.options, out);
    write_terminal(costs, input.options, out);
  }
  if (const Table fits = what_fits(input); !fits.rows.empty()) {
    out << '\n' << say(Word::what_fits, input.language) << '\n';
    write_terminal(fits, input.options, out);
  }
  if (input.options.details) {
    write_remarks(input, out);
  } else {
    write_warnings(input, codes, out);
  }
  write_missing(input, out);
  write_damage(input, out);
  write_conclusion(input, out);
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

const Registration<ReportFormat> registered("table",
                                            {"a table for the terminal, with warnings", write});

}  // namespace

}  // namespace trainmark
