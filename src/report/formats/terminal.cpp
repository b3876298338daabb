// The table of `trainmark run` and `trainmark report`: one row a cell, and below it what is to be
// said of the figures.

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
#include "report/content/quality.h"
#include "report/content/scaling.h"
#include "report/content/what_fits.h"
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
    const Cell& cell = result.cell;
    const std::size_t all = result.runs.size() + result.failed.size();
    std::vector<TableCell> row = {
        cell.workload,
        cell.size_text(),
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
    if (busy) row.emplace_back(gpu_busy_text(result));
    if (price) row.emplace_back(cost_text(result, price));
    if (scales) row.emplace_back(ratio_text(result.speedup));
    if (bars) row.emplace_back(share_bar(result, fastest, unicode));
    row.push_back(remarks(result, language));
    table.rows.push_back(std::move(row));
  }
  return table;
}

std::size_t natural_width(const Table& table) {
  std::size_t width = 0;
  for (std::size_t c = 0; c < table.columns.size(); ++c) {
    std::size_t widest = display_width(printable(table.columns[c].title));
    for (const auto& row : table.rows)
      widest = std::max(widest, display_width(printable(row[c].text)));
    width += widest + (c > 0 ? 2 : 0);
  }
  return width;
}

bool is_constant(const Table& table, std::size_t column) {
  return std::all_of(table.rows.begin(), table.rows.end(), [&](const auto& row) {
    return row[column].text == table.rows.front()[column].text;
  });
}

/// Takes out of the first `keys` columns those that are the same in every row, as a caption.
std::string fold_constants(Table& table, std::size_t keys) {
  std::string caption;
  if (table.rows.size() < 2) return caption;
  for (std::size_t c = keys; c-- > 0;) {
    if (!is_constant(table, c)) {
      // It tells rows apart: of all columns, it stays, and long enough to be told from others.
      table.columns[c].importance += 100;
      if (table.columns[c].least_width > 0) table.columns[c].least_width = 20;
      continue;
    }
    caption = fmt::format("{} {}{}{}", table.columns[c].title, table.rows.front()[c].text,
                          caption.empty() ? "" : ", ", caption);
    table.columns.erase(table.columns.begin() + static_cast<std::ptrdiff_t>(c));
    for (auto& row : table.rows) row.erase(row.begin() + static_cast<std::ptrdiff_t>(c));
  }
  return caption;
}

/// A name of two parts gives two letters, such as NC; a second kind with these letters NC2.
using Codes = std::map<std::string, std::string, std::less<>>;

Codes warning_codes(const std::vector<Result>& results) {
  Codes codes;
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
Codes make_narrow(Table& table, const ReportInput& input, std::ostream& out) {
  constexpr std::size_t keys = 7;
  if (input.options.width == 0 || natural_width(table) <= input.options.width) return {};
  const Codes codes = warning_codes(input.results);
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
  table.columns.back().least_width = 6;
  const std::string caption = fold_constants(table, keys);
  if (!caption.empty())
    out << shortened(printable(caption), input.options.width, input.options.unicode) << "\n\n";
  return codes;
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
        << printable(fmt::format("{}:{} {}", cell.workload, cell.size_text(), cell.framework))
        << ", " << printable(cell.precision) << ", " << say(Word::batch, input.language) << ' '
        << batch_text(cell, input.options.unicode) << '\n';
    write_terminal(scaling_table(series, input.language), input.options, out);
  }
}

/// A table under its heading; without rows, nothing. Columns that are the same in every row are its
/// caption where it is too wide.
void write_part(Word title, Table table, const ReportInput& input, std::ostream& out) {
  constexpr std::size_t keys = 7;
  if (table.rows.empty()) return;
  heading(say(title, input.language), input.options, out);
  if (input.options.width > 0 && natural_width(table) > input.options.width) {
    const std::string caption = fold_constants(table, keys);
    if (!caption.empty())
      out << shortened(printable(caption), input.options.width, input.options.unicode) << '\n';
  }
  write_terminal(table, input.options, out);
}

void write_quality(const ReportInput& input, std::ostream& out) {
  write_part(Word::quality_heading, quality_table(input), input, out);
  write_part(Word::equivalence_heading, equivalence_table(input), input, out);
}

/// Each kind of warning once, with what it says of the first cell.
void write_warnings(const ReportInput& input, const Codes& codes, std::ostream& out) {
  const std::vector<FoldedWarning> warnings = folded_warnings(input.results);
  if (warnings.empty()) return;
  heading(say(Word::warnings_heading, input.language), input.options, out);
  for (const FoldedWarning& warning : warnings) {
    const auto code = codes.find(warning.first->name);
    out << "  " << (code == codes.end() ? "" : code->second + " ")
        << coloured(printable(warning.first->name), Tone::doubtful, input.options) << " ("
        << say(Word::warning_cells, input.language, warning.cells, input.results.size())
        << "): " << printable(detail_in(input.language, warning.first->message), 400) << '\n';
  }
}

void write_conclusion(const ReportInput& input, std::ostream& out) {
  std::vector<std::string> sentences = conclusion(input);
  if (std::string first = headline(contests_of(input), input.language); !first.empty())
    sentences.insert(sentences.begin(), std::move(first));
  if (sentences.empty()) return;
  heading(say(Word::conclusion_heading, input.language), input.options, out);
  for (const std::string& sentence : sentences) out << "  " << sentence << '\n';
}

void write_remarks(const ReportInput& input, std::ostream& out) {
  bool any = false;
  for (const Result& result : input.results) {
    for (const Verdict& verdict : result.verdicts) {
      if (!std::exchange(any, true))
        heading(say(Word::remarks_heading, input.language), input.options, out);
      out << "  " << printable(result.cell.key()) << ": "
          << coloured(printable(verdict.name), Tone::doubtful, input.options) << ": "
          << printable(detail_in(input.language, verdict.message), 400) << '\n';
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
      line(result.cell, failure_text(result, input.language),
           detail_in(input.language, result.failed.front()->reason));
  for (const SkipRecord* skip : skipped_cells(input))
    line(skip->cell, say(Word::skipped, input.language, skip->reason), "");
}

void write_damage(const ReportInput& input, std::ostream& out) {
  if (input.contents.damage.empty()) return;
  heading(say(Word::damaged_records, input.language), input.options, out);
  for (const std::string& damage : input.contents.damage)
    out << "  " << printable(damage, 400) << '\n';
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
  Codes codes;
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
    heading(say(Word::input_heading, input.language), input.options, out);
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
