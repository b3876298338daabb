#include "logs/figure.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "base/text.h"
#include "base/verdict_names.h"
#include "logs/describe_log.h"
#include "logs/plausibility.h"
#include "logs/series.h"

namespace trainmark {

namespace {

// Beyond this, items ÷ time and the printed rates say different things (measure/check_run.cpp).
constexpr double rates_limit = 0.03;

LogFigure begin_figure(const LogContents& contents, const Dialect& dialect,
                       const GivenFacts& given) {
  LogFigure figure;
  figure.dialect = contents.dialect;
  figure.scope = dialect.scope;
  figure.unit = contents.unit;
  figure.runs = contents.runs.size();
  const std::size_t run = choose_run(contents, given);
  figure.run = run + 1;
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
  if (std::abs(off) > rates_limit) {
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

bool take_steps(LogFigure& figure, std::span<const Record> steps, double items, double factor) {
  const Series series = make_series(steps, items);
  if (series.size() == 0) return false;
  const bool prints_rates = std::any_of(steps.begin(), steps.end(),
                                        [](const Record& record) { return positive(record.rate); });
  take_window(figure, series, steady_window(series), factor, prints_rates);
  return true;
}

void say_why_none(LogFigure& figure, std::span<const Record> records) {
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
         fmt::format("the rates that it prints cannot be: they lie outside of {:g} to {:g} items/s",
                     1 / largest_figure, largest_figure)});
    return;
  }
  if (times && (!figure.batch || !figure.gpus)) {
    figure.verdicts.push_back(
        {!figure.batch ? verdicts::batch_unknown : verdicts::gpus_unknown,
         fmt::format("the log prints times and no rate, and does not say the {}; write --{} N",
                     !figure.batch ? "batch size" : "number of GPUs",
                     !figure.batch ? "batch" : "gpus")});
    return;
  }
  figure.verdicts.push_back({verdicts::no_figure, fmt::format("none of its {} tells a rate",
                                                              counted(records.size(), "record"))});
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

}  // namespace

LogFigure blind_figure(const LogContents& contents, const Dialect& dialect,
                       const GivenFacts& given) {
  LogFigure figure = begin_figure(contents, dialect, given);
  const LogRun& run = contents.runs[figure.run - 1];
  const std::vector<Record> records = records_of(contents, figure.run - 1);
  const std::vector<Record> steps = of_kind(records, RecordKind::step);
  const std::vector<Record> epochs = of_kind(records, RecordKind::epoch);
  const std::vector<Record> summaries = of_kind(records, RecordKind::summary);
  const double factor = job_factor(figure);
  const double items = items_of_step(figure, run.facts);

  bool done = false;
  if (dialect.headline == RecordKind::summary)
    done = take_summary(figure, summaries, items, factor);
  if (dialect.headline == RecordKind::epoch && (epochs.size() > 1 || steps.empty()))
    done = take_epochs(figure, epochs, factor);
  done = done || take_steps(figure, steps, items, factor) || take_epochs(figure, epochs, factor) ||
         take_summary(figure, summaries, items, factor);
  if (!done) say_why_none(figure, records);
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
  nlohmann::json ranks = nlohmann::json::object();
  for (const auto& [rank, rate] : figure.ranks) ranks[std::to_string(rank)] = or_null(rate);
  json = {{"file", figure.file},
          {"dialect", figure.dialect},
          {"unit", figure.unit},
          {"throughput", or_null(figure.throughput)},
          {"low", or_null(figure.interval.low)},
          {"high", or_null(figure.interval.high)},
          {"method", figure.method},
          {"mean", or_null(figure.mean)},
          {"median", or_null(figure.median)},
          {"items_over_time", or_null(figure.items_over_time)},
          {"scope", text(figure.scope)},
          {"gpus", or_null(figure.gpus)},
          {"nodes", or_null(figure.nodes)},
          {"batch", or_null(figure.batch)},
          {"precision", or_null(figure.precision)},
          {"model", or_null(figure.model)},
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
