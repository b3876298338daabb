#include "logs/plausibility.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "base/text.h"
#include "base/verdict_names.h"
#include "measure/statistics.h"

namespace trainmark {

namespace {

constexpr double rate_limit = 0.03;       // printed rate against batch ÷ printed time
constexpr double summary_limit = 0.03;    // the program's own summary against the figure
constexpr double straggler_limit = 0.05;  // a rank slower than the median rank
constexpr double header_limit = 86400;    // seconds between a header and its records
constexpr std::size_t few_records = 10;
constexpr double least_clock = 0.9;  // of the printed time, that the clock must show
constexpr double most_clock = 2;     // evaluation and the like take less than the training

template <class... Values>
void say(LogFigure& figure, const char* name, fmt::format_string<Values...> words,
         Values&&... values) {
  figure.verdicts.push_back({name, fmt::format(words, std::forward<Values>(values)...)});
}

void check_file(const LogContents& contents, LogFigure& figure) {
  if (!contents.damage.empty())
    say(figure, verdicts::file_damaged, "the file: {}", contents.damage);
  if (contents.cut_lines > 0) {
    say(figure, verdicts::lines_cut,
        "of lines longer than {} KiB ({}), only the beginning was read",
        LineReader::longest_line / 1024, contents.cut_lines);
  }
  if (contents.merged > 1) {
    say(figure, verdicts::records_merged,
        "{} records are too many to keep: up to {} neighbours were averaged into one",
        contents.found, contents.merged);
  }
  if (contents.decoys > 0) {
    say(figure, verdicts::decoys,
        "{} skipped: they resemble figures but are not from training (evaluation, "
        "inference, addresses)",
        counted(contents.decoys, "line"));
  }
  if (contents.repeated > 0) {
    say(figure, verdicts::ranks_repeat, "{} printed again by other ranks; each is counted once",
        counted(contents.repeated, "record"));
  }
}

void check_runs(const LogContents& contents, LogFigure& figure) {
  if (contents.runs.size() < 2) return;
  std::vector<std::string> lengths;
  for (const LogRun& run : contents.runs) {
    if (lengths.size() == 5) {
      lengths.push_back("…");
      break;
    }
    lengths.push_back(std::to_string(run.records));
  }
  say(figure, verdicts::several_runs,
      "the file holds {} runs (of {} records); the figure is that of run {}", contents.runs.size(),
      join(lengths, ", "), figure.run);
}

void check_header(const LogEvidence& evidence, LogFigure& figure) {
  const auto stamped =
      std::find_if(evidence.records.begin(), evidence.records.end(),
                   [](const Record& record) { return std::isfinite(record.stamp); });
  if (stamped == evidence.records.end() || std::isnan(evidence.run.header)) return;
  const double age = stamped->stamp - evidence.run.header;
  if (std::abs(age) <= header_limit) return;
  say(figure, verdicts::header_older,
      "the header is {:.0f} days {} than the first record: header and records may be of different "
      "runs, so what the header says (batch, precision) may not hold",
      std::abs(age) / 86400, age > 0 ? "older" : "younger");
}

void check_loss(const LogEvidence& evidence, LogFigure& figure) {
  const auto bad = std::count_if(
      evidence.records.begin(), evidence.records.end(),
      [](const Record& record) { return record.has_loss && !std::isfinite(record.loss); });
  if (bad > 0) {
    say(figure, verdicts::loss_nan, "the loss is not a number in {} of {}", bad,
        counted(evidence.records.size(), "record"));
  }
}

/// A printed rate should be the items of a step ÷ its printed time.
void check_rate(const LogEvidence& evidence, LogFigure& figure) {
  if (evidence.dialect.tokens || evidence.dialect.headline != RecordKind::step) return;
  std::vector<double> ratios;
  for (const Record& record : evidence.records) {
    if (record.kind != RecordKind::step) continue;
    const double items = std::isnan(record.items) ? evidence.items : record.items;
    const double ratio = record.rate * record.seconds / items;
    if (std::isfinite(ratio) && ratio > 0) ratios.push_back(ratio);
  }
  if (ratios.empty()) return;
  const double typical = median(ratios);
  if (std::abs(typical - 1) <= rate_limit) return;
  say(figure, verdicts::rate_not_batch_over_time,
      "printed rate × printed time of a step is {} items, and the batch is {}: the batch size is "
      "different, or the rate counts something else",
      trainmark::figure(typical * evidence.items), trainmark::figure(evidence.items));
}

/// Many programs close with a mean of their own, which often counts the warm-up.
void check_summary(const LogEvidence& evidence, LogFigure& figure) {
  if (!(figure.throughput > 0)) return;
  for (auto record = evidence.records.rbegin(); record != evidence.records.rend(); ++record) {
    if (record->kind != RecordKind::summary || !(record->rate > 0)) continue;
    const double summary = record->rate * evidence.factor;
    const double off = summary / figure.throughput - 1;
    if (std::abs(off) > summary_limit) {
      say(figure, verdicts::summary_differs,
          "the program's own summary says {} ({:+.1f} %); such a mean often counts the warm-up",
          trainmark::figure(summary), 100 * off);
    }
    return;
  }
}

/// The stamps of lines and the times in them are of the same clock. Where they part by far, the
/// program counts something else than its steps. A line that tells of one step stands for those
/// since the line before, of which no more is known than that they took less than the clock shows.
void check_stamps(const LogEvidence& evidence, LogFigure& figure) {
  if (evidence.dialect.counted == Counted::steady || evidence.records.size() < few_records) return;
  double printed = 0;
  double items = 0;
  double steps = 0;
  bool said = true;
  std::vector<double> times;
  for (std::size_t i = 1; i < evidence.records.size(); ++i) {
    const Record& record = evidence.records[i];
    if (record.kind != RecordKind::step) return;
    said = said && positive(record.steps);
    const double passed = positive(record.steps)
                              ? record.steps
                              : static_cast<double>(record.step - evidence.records[i - 1].step);
    if (!positive(passed)) return;
    printed += passed * record.seconds;
    items += passed * record.items;
    steps += passed;
    times.push_back(record.seconds);
  }
  if (items == steps) return;  // one stands for an unknown batch
  if (!positive(items) && figure.unit == steps_per_second_unit) items = steps;
  // An evaluation that falls into one of the steps that are told says nothing of the others.
  if (!said) printed = steps * median(times);
  const double clock = evidence.records.back().stamp - evidence.records.front().stamp;
  if (!positive(clock) || !positive(items) || !positive(printed)) return;
  if (clock > least_clock * printed && (!said || clock < most_clock * printed)) return;
  say(figure, verdicts::clock_differs,
      "by the time stamps of its lines it is {}: the printed times are not those of the steps, or "
      "the batch size is different",
      trainmark::figure(items / clock));
}

void check_ranks(LogFigure& figure) {
  if (figure.ranks.size() < 2) return;
  std::vector<double> rates;
  for (const auto& [rank, rate] : figure.ranks) rates.push_back(rate);
  const double typical = median(rates);
  std::vector<std::string> slow;
  for (const auto& [rank, rate] : figure.ranks)
    if (rate < (1 - straggler_limit) * typical && slow.size() < 8)
      slow.push_back(fmt::format("{} ({:+.1f} %)", rank, 100 * (rate / typical - 1)));
  if (!slow.empty()) {
    say(figure, verdicts::straggler, "slower than the median rank by more than 5 %: rank {}",
        join(slow, ", "));
  }
  if (figure.gpus && static_cast<int>(figure.ranks.size()) > *figure.gpus) {
    say(figure, verdicts::more_ranks_than_gpus, "{} ranks print, and there are {} GPUs",
        figure.ranks.size(), *figure.gpus);
  }
}

void check_records(const Dialect& dialect, LogFigure& figure) {
  if (figure.method == "printed summary") return;
  if (dialect.running_mean && std::isfinite(figure.interval.high)) {
    say(figure, verdicts::running_mean,
        "the log prints means since the epoch began: they scatter less than the steps do, and the "
        "interval is too narrow");
  }
  if (figure.used < few_records) {
    say(figure, verdicts::too_few_records,
        "only {} of {} could be used; the interval is wide, and a stall in one of them "
        "moves the figure",
        figure.used, counted(figure.records, "record"));
  }
}

}  // namespace

void check_plausibility(const LogEvidence& evidence, LogFigure& figure) {
  check_records(evidence.dialect, figure);
  check_runs(evidence.contents, figure);
  check_header(evidence, figure);
  check_loss(evidence, figure);
  check_rate(evidence, figure);
  check_summary(evidence, figure);
  check_stamps(evidence, figure);
  check_ranks(figure);
  check_file(evidence.contents, figure);
}

}  // namespace trainmark
