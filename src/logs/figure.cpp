#include "logs/figure.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <nlohmann/json.hpp>

#include "base/text.h"
#include "base/verdict_names.h"
#include "logs/describe_log.h"
#include "logs/pauses.h"
#include "logs/plausibility.h"
#include "logs/series.h"
#include "logs/utilisation.h"

namespace trainmark {

namespace {

// Beyond this, items ÷ time and the printed rates say different things (measure/check_run.cpp).
constexpr double rates_limit = 0.03;

LogFigure begin_figure(const LogContents& contents, const Dialect& dialect,
                       const GivenFacts& given) {
  LogFigure figure;
  figure.dialect = contents.dialect;
  figure.confidence = dialect.confidence;
  figure.unit = contents.unit;
  figure.runs = contents.runs.size();
  const std::size_t run = choose_run(contents, given);
  figure.run = run + 1;
  figure.scope = scope_of(contents, run, dialect.scope);
  describe_job(figure, contents.runs[run].facts, dialect, given);
  for (const auto& [rank, rates] : contents.ranks)
    figure.ranks[rank] = rates.sum / static_cast<double>(rates.count);
  return figure;
}

std::vector<Record> of_kind(std::span<const Record> records, RecordKind kind) {
  std::vector<Record> result;
  for (const Record& record : records)
    if (record.kind == kind) result.push_back(record);
  return result;
}

void take_interval(LogFigure& figure, const Throughput& throughput, double factor) {
  figure.interval = {throughput.interval.low * factor, throughput.interval.high * factor};
}

/// The mean of the printed rates and items ÷ time of the same records. They differ where a few
/// records are far slower than the rest (an epoch begins, a checkpoint is saved, gradients are
/// merged). Authors publish the first; where the second disagrees it is named, not shown. A mean
/// that lies above most of its rates is none that anybody would publish: a few records claim to be
/// far faster than the rest, and time is what counts then.
void take_window(LogFigure& figure, const Series& series, const SeriesWindow& found, double factor,
                 bool prints_rates) {
  const Window window = found.window;
  const auto rates = std::span(series.rates).subspan(window.first, window.size());
  const Throughput real = throughput(series.steps, window);
  const Throughput printed = throughput(series.equal_steps, window);
  figure.records = series.size();
  figure.first_used = window.first;
  figure.used = window.size();
  figure.mean = factor * mean(rates);
  figure.median = factor * median(rates);
  figure.items_over_time = factor * real.value;
  const double off = printed.value / real.value - 1;
  const bool of_most = figure.mean <= (1 + rates_limit) * figure.median;
  const bool show_printed = prints_rates && of_most && std::abs(off) > rates_limit;
  figure.method = show_printed ? "printed rates" : "items / time";
  figure.throughput = factor * (show_printed ? printed.value : real.value);
  take_interval(figure, show_printed ? printed : real, factor);
  if (std::abs(off) > rates_limit && !found.nearly_all) {
    figure.verdicts.push_back(
        {verdicts::mean_of_rates_differs,
         fmt::format("items ÷ time of these records is {}, the mean of their rates {} ({:+.1f} %): "
                     "some are far {} than the rest. The figure is the {}",
                     trainmark::figure(factor * real.value),
                     trainmark::figure(factor * printed.value), 100 * off,
                     of_most ? "slower" : "faster",
                     show_printed ? "printed one, as authors publish it" : "first")});
  }
  if (found.unsteady) {
    figure.verdicts.push_back(
        {verdicts::no_steady_state,
         fmt::format("the speed still changes after {} records; the second half "
                     "of them was used",
                     series.size())});
  }
}

/// Epochs are items ÷ time of all that happens in them; the first one holds the warm-up.
bool take_epochs(LogFigure& figure, std::span<const Record> epochs, double factor) {
  const std::size_t skip = epochs.size() > 1 ? 1 : 0;
  const Series series = make_series(epochs.subspan(skip));
  if (series.size() == 0) return false;
  take_window(figure, series, {{0, series.size()}}, factor, false);
  figure.records = epochs.size();
  figure.first_used = skip;
  figure.method = "epochs";
  return true;
}

bool take_summary(LogFigure& figure, std::span<const Record> summaries, double items,
                  double factor) {
  const Series series = make_series(summaries, items);
  if (series.size() == 0) return false;
  figure.records = summaries.size();
  figure.used = 1;
  figure.first_used = summaries.size() - 1;
  figure.method = "printed summary";
  figure.throughput = factor * series.rates.back();
  figure.mean = figure.median = figure.throughput;
  figure.interval = {not_known, not_known};
  return true;
}

bool take_steps(LogFigure& figure, std::span<const Record> steps, double items, double factor,
                Counted counted) {
  const Series series = make_series(steps, items);
  if (series.size() == 0) return false;
  if (counted == Counted::all_but_a_tenth) {
    const SeriesWindow window = window_without_a_tenth(series);
    take_window(figure, series, window, factor, false);
    find_pauses(figure, series, window.window, factor);
    return true;
  }
  const bool prints_rates = std::any_of(steps.begin(), steps.end(),
                                        [](const Record& record) { return positive(record.rate); });
  take_window(figure, series, steady_window(series), factor, prints_rates);
  return true;
}

/// Items of a step where the records do not tell; without them, steps are what can be counted.
double items_or_steps(LogFigure& figure, std::span<const Record> records, double items,
                      const Dialect& dialect, const GivenFacts& given) {
  if (positive(items)) return items;
  const bool steady = dialect.counted == Counted::steady;
  if (steady && !prints_times_only(records, dialect)) return items;
  // The first one may not know yet, where differences tell.
  const auto rest = records.size() > 1 ? records.subspan(1) : records;
  const bool told = std::all_of(rest.begin(), rest.end(), [](const Record& record) {
    return positive(record.items) || positive(record.rate);
  });
  if (told) return items;
  if (given.unit.empty()) figure.unit = dialect.steps_unit;
  const bool only_gpus = steady && figure.batch && !figure.gpus;
  figure.verdicts.push_back(
      {only_gpus ? verdicts::gpus_unknown : verdicts::batch_unknown,
       fmt::format(
           "the log does not say how many {} there are{}: the figure counts steps. Write {}",
           only_gpus ? "GPUs" : "items", only_gpus ? "" : " per step",
           only_gpus ? "--gpus N" : "--batch N (of one GPU) and --gpus N")});
  return 1;
}

/// A program that prints once an epoch, at its first step, tells how long it takes to begin one.
bool only_first_steps(std::span<const Record> steps) {
  return steps.size() > 1 && std::all_of(steps.begin(), steps.end(), [](const Record& record) {
           return record.epoch >= 0 && record.step == 0 && record.steps == 1;
         });
}

void refuse_first_steps(LogFigure& figure, std::span<const Record> steps) {
  figure.throughput = not_known;
  figure.interval = {not_known, not_known};
  figure.records = steps.size();
  figure.confidence = Confidence::low;
  figure.verdicts.push_back(
      {verdicts::no_figure, fmt::format("each of its {} covers the first step of an epoch, which "
                                        "waits for the first input: they give no throughput",
                                        counted(steps.size(), "record"))});
}

void say_why_none(LogFigure& figure, std::span<const Record> records) {
  figure.confidence = Confidence::low;
  figure.throughput = not_known;
  figure.interval = {not_known, not_known};
  figure.records = records.size();
  const bool times = std::any_of(records.begin(), records.end(), [](const Record& record) {
    return record.seconds > 0 || std::isfinite(record.stamp);
  });
  if (std::any_of(records.begin(), records.end(),
                  [](const Record& record) { return record.rate > 0; })) {
    figure.verdicts.push_back(
        {verdicts::no_figure,
         fmt::format("the rates that it prints are implausible: outside {:g} to {:g} items/s",
                     1 / largest_figure, largest_figure)});
    return;
  }
  if (times && (!figure.batch || !figure.gpus)) {
    figure.verdicts.push_back(
        {!figure.batch ? verdicts::batch_unknown : verdicts::gpus_unknown,
         fmt::format("the log prints times and no rate, and does not state the {}; write --{} N",
                     !figure.batch ? "batch size" : "number of GPUs",
                     !figure.batch ? "batch" : "gpus")});
    return;
  }
  figure.verdicts.push_back({verdicts::no_figure, fmt::format("none of its {} contains a rate",
                                                              counted(records.size(), "record"))});
}

/// By the times of the records, else by their moments; what lies far beyond the usual gap between
/// two of them is an evaluation or another pass. Not known where items are counted as if they were
/// steps.
double steps_per_second(std::span<const Record> records, std::size_t first, Counted counting) {
  double counted = 0;
  double seconds = 0;
  std::vector<double> paces;
  for (std::size_t i = std::min(first, records.size()); i < records.size(); ++i) {
    const Record& record = records[i];
    if (record.per_item) return not_known;
    // Of records that leave no gaps, one that does not say for how many stands for itself.
    const bool said = positive(record.steps);
    if (!said && counting == Counted::steady) continue;
    if (positive(record.seconds)) {
      const double steps = said ? record.steps : static_cast<double>(record.weight);
      counted += steps;
      seconds += steps * record.seconds;
    } else if (said && i > 0 && positive(record.stamp - records[i - 1].stamp)) {
      paces.push_back((record.stamp - records[i - 1].stamp) / record.steps);
    }
  }
  if (counted > 0) return counted / seconds;
  if (paces.empty()) return not_known;
  const double usual = median(paces);
  double sum = 0;
  std::size_t used = 0;
  for (const double pace : paces) {
    if (pace > 3 * usual) continue;
    sum += pace;
    ++used;
  }
  return used == 0 ? not_known : static_cast<double>(used) / sum;
}

void say_assumptions(LogFigure& figure, const Dialect& dialect) {
  const char* const names[] = {verdicts::guessed, verdicts::assumed};
  for (std::size_t i = 0; i < dialect.assumptions.size() && i < std::size(names); ++i)
    figure.verdicts.push_back({names[i], dialect.assumptions[i]});
}

nlohmann::json or_null(double value) {
  return std::isfinite(value) ? nlohmann::json(value) : nlohmann::json();
}

nlohmann::json or_null(const std::optional<int>& value) {
  return value ? nlohmann::json(*value) : nlohmann::json();
}

nlohmann::json or_null(const std::string& value) {
  return value.empty() ? nlohmann::json() : nlohmann::json(value);
}

/// The first run that counts: what came before it only looked like one.
std::size_t first_training(const LogContents& contents) {
  const auto found = std::find_if(contents.records.rbegin(), contents.records.rend(),
                                  [](const Record& record) { return record.discards; });
  return found == contents.records.rend() ? 0 : found->run;
}

LogContents without_runs(LogContents contents, std::size_t count) {
  std::erase_if(contents.records, [&](const Record& record) { return record.run < count; });
  for (Record& record : contents.records) record.run -= static_cast<std::uint32_t>(count);
  for (std::size_t i = count; i-- > 0;)
    add_facts(contents.runs[count].facts, contents.runs[i].facts);
  contents.runs.erase(contents.runs.begin(),
                      contents.runs.begin() + static_cast<std::ptrdiff_t>(count));
  return contents;
}

}  // namespace

LogFigure blind_figure(const LogContents& contents, const Dialect& dialect,
                       const GivenFacts& given) {
  if (const std::size_t first = first_training(contents); first > 0)
    return blind_figure(without_runs(contents, first), dialect, given);
  LogFigure figure = begin_figure(contents, dialect, given);
  const LogRun& run = contents.runs[figure.run - 1];
  const std::vector<Record> records = records_of(contents, figure.run - 1);
  const std::vector<Record> steps = of_kind(records, RecordKind::step);
  const std::vector<Record> epochs = of_kind(records, RecordKind::epoch);
  const std::vector<Record> summaries = of_kind(records, RecordKind::summary);
  const double factor = job_factor(figure);
  const double items =
      items_or_steps(figure, steps.empty() ? epochs : steps,
                     items_of_step(figure, run.facts, dialect, given), dialect, given);
  describe_quality(figure, run, records);
  if (only_first_steps(steps)) {
    refuse_first_steps(figure, steps);
    return figure;
  }

  bool done = false;
  if (dialect.headline == RecordKind::summary)
    done = take_summary(figure, summaries, items, factor);
  if (dialect.headline == RecordKind::epoch && (epochs.size() > 1 || steps.empty()))
    done = take_epochs(figure, epochs, factor);
  done = done || take_steps(figure, steps, items, factor, dialect.counted) ||
         take_epochs(figure, epochs, factor) || take_summary(figure, summaries, items, factor);
  if (!done) say_why_none(figure, records);
  if (dialect.steps_unit == steps_per_second_unit)
    figure.steps_per_second = figure.unit == steps_per_second_unit
                                  ? figure.throughput
                                  : steps_per_second(steps, figure.first_used, dialect.counted);
  say_assumptions(figure, dialect);
  check_utilisation(figure, run.facts, dialect);
  check_plausibility({contents, dialect, run, records, factor, items}, figure);
  return figure;
}

LogFigure rule_figure(const LogContents& contents, const Dialect& dialect, const GivenFacts& given,
                      const AuthorRule& rule, const std::string& words) {
  LogFigure figure = begin_figure(contents, dialect, given);
  const RuleFigure result =
      apply_rule(rule, contents, dialect.scope,
                 {figure.gpus.value_or(0), figure.nodes.value_or(0), figure.batch.value_or(0)});
  figure.throughput = result.value;
  figure.used = result.used;
  figure.records = contents.records.size();
  figure.interval = {not_known, not_known};
  figure.method = "rule " + words;
  const LogRun& run = contents.runs[figure.run - 1];
  check_plausibility({contents, dialect, run, contents.records, 1, not_known}, figure);
  return figure;
}

void to_json(nlohmann::json& json, const LogFigure& figure) {
  nlohmann::json quality = nlohmann::json::object();
  for (const auto& [name, value] : figure.quality) quality[name] = or_null(value);
  nlohmann::json ranks = nlohmann::json::object();
  for (const auto& [rank, rate] : figure.ranks) ranks[std::to_string(rank)] = or_null(rate);
  json = {{"file", figure.file},
          {"dialect", figure.dialect},
          {"confidence", text(figure.confidence)},
          {"unit", figure.unit},
          {"throughput", or_null(figure.throughput)},
          {"low", or_null(figure.interval.low)},
          {"high", or_null(figure.interval.high)},
          {"steps_per_second", or_null(figure.steps_per_second)},
          {"method", figure.method},
          {"mean", or_null(figure.mean)},
          {"median", or_null(figure.median)},
          {"items_over_time", or_null(figure.items_over_time)},
          {"without_pauses", or_null(figure.without_pauses)},
          {"quality", quality},
          {"input_share", or_null(figure.input_share)},
          {"memory", or_null(figure.memory)},
          {"mfu", or_null(figure.mfu)},
          {"mfu_recomputed", or_null(figure.mfu_recomputed)},
          {"parameters", or_null(figure.parameters)},
          {"scope", text(figure.scope)},
          {"gpus", or_null(figure.gpus)},
          {"nodes", or_null(figure.nodes)},
          {"batch", or_null(figure.batch)},
          {"precision", or_null(figure.precision)},
          {"model", or_null(figure.model)},
          {"machine", or_null(figure.machine)},
          {"versions", figure.versions},
          {"taken_from", figure.taken_from},
          {"records", figure.records},
          {"used", figure.used},
          {"dropped", figure.records - std::min(figure.used, figure.records)},
          {"warmup", figure.first_used},
          {"runs", figure.runs},
          {"run", figure.run},
          {"ranks", ranks},
          {"verdicts", figure.verdicts}};
}

}  // namespace trainmark
