#include "report/content/quality.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "base/text.h"
#include "report/content/figures.h"
#include "report/content/quality_costs.h"

namespace trainmark {

namespace {

constexpr const char* reference_framework = "libtorch";
constexpr const char* reference_precision = "fp32";

/// A figure and its interval, as far as they are known.
std::string factor_text(const Factor& factor, double scale, const char* unit) {
  const auto text = [&](double value) { return figure(value * scale); };
  if (!std::isfinite(factor.mean)) return fmt::format("> {}{}", text(factor.interval.low), unit);
  if (std::isfinite(factor.interval.high))
    return fmt::format("{}{} ({} … {})", text(factor.mean), unit, text(factor.interval.low),
                       text(factor.interval.high));
  if (factor.interval.low > 0)
    return fmt::format("{}{} (> {})", text(factor.mean), unit, text(factor.interval.low));
  return text(factor.mean) + unit;
}

/// What cells have in common that may be compared with each other.
std::string comparable_key(const Result& result) {
  Cell alike = result.cell;
  alike.framework.clear();
  alike.precision.clear();
  return fmt::format("{} {} {}", alike.key(), result.quality->metric, result.quality->target);
}

using QualityGroup = std::vector<const Result*>;

/// The first that was trained in this precision, of the reference framework where it was.
const Result* reference_in(const QualityGroup& group, const std::string& precision) {
  const Result* first = nullptr;
  for (const Result* result : group) {
    if (result->cell.precision != precision) continue;
    if (result->cell.framework_name() == reference_framework) return result;
    if (first == nullptr) first = result;
  }
  return first;
}

const Result* in_full_precision(const QualityGroup& group, const std::string& framework) {
  for (const Result* result : group)
    if (result->cell.framework == framework && result->cell.precision == reference_precision)
      return result;
  return nullptr;
}

std::string workload_text(const Cell& cell) {
  return fmt::format("{}:{} {}", cell.workload, cell.model_text(), cell.data);
}

std::string learner_text(const Result& result) {
  return result.cell.framework + " " + result.cell.precision;
}

/// The shortest mean time; null where none is known.
const Result* fastest_of(const QualityGroup& group) {
  const Result* best = nullptr;
  for (const Result* result : group) {
    const double seconds = result->quality->time.seconds.mean;
    if (!std::isfinite(seconds)) continue;
    if (best == nullptr || seconds < best->quality->time.seconds.mean) best = result;
  }
  return best;
}

/// Those that are not surely slower.
std::vector<std::string> rivals_of(const Result& best, const QualityGroup& group) {
  std::vector<std::string> rivals;
  for (const Result* result : group) {
    if (result == &best) continue;
    const auto versus = compare_quality(best.quality->trials, result->quality->trials);
    if (versus.seconds.answer != Answer::slower) rivals.push_back(learner_text(*result));
  }
  return rivals;
}

std::vector<Column> cell_columns(Language language) {
  const auto title = [&](Word word) { return std::string(say(word, language)); };
  return {
      {title(Word::workload), Align::left, 90, 0},  {title(Word::size), Align::left, 60, 0},
      {title(Word::data), Align::left, 55, 0},      {title(Word::framework), Align::left, 95, 0},
      {title(Word::precision), Align::left, 75, 0}, {title(Word::batch), Align::right, 62, 0},
      {title(Word::scale), Align::left, 50, 0}};
}

std::vector<TableCell> cell_fields(const Cell& cell, bool unicode) {
  return {cell.workload,  cell.model_text(),         cell.data,        cell.framework,
          cell.precision, batch_text(cell, unicode), cell.scale.text()};
}

Tone tone_of_reached(const TimeToQuality& time) {
  if (time.reached == time.trials) return Tone::good;
  return time.reached == 0 ? Tone::bad : Tone::doubtful;
}

}  // namespace

std::string target_text(double target) {
  return fmt::format("{:.6g}", target);
}

std::string seconds_text(const Factor& factor) {
  return factor_text(factor, 1, " s");
}

std::string samples_text(const Factor& factor) {
  return factor_text(factor, 1, "");
}

std::string seconds_per_sample_text(const Factor& factor) {
  if (factor.mean >= 1) return factor_text(factor, 1, " s");
  if (factor.mean >= 1e-3) return factor_text(factor, 1e3, " ms");
  return factor_text(factor, 1e6, " µs");
}

Table quality_table(const ReportInput& input) {
  const auto title = [&](Word word) { return std::string(say(word, input.language)); };
  Table table;
  table.columns = cell_columns(input.language);
  for (Column column : {Column{title(Word::quality_metric), Align::left, 58, 0},
                        Column{title(Word::quality_target), Align::right, 85, 0},
                        Column{title(Word::quality_reached), Align::right, 97, 0},
                        Column{title(Word::quality_seconds), Align::right, last_to_go, 0},
                        Column{title(Word::quality_samples), Align::right, 99, 0},
                        Column{title(Word::quality_speed), Align::right, 98, 0},
                        Column{title(Word::quality_evaluations), Align::right, 40, 0},
                        Column{title(Word::quality_checkpoints), Align::right, 35, 0}})
    table.columns.push_back(std::move(column));
  const bool any_resumed = std::ranges::any_of(input.results, [](const Result& result) {
    return result.quality && quality_costs(*result.quality).resumed > 0;
  });
  if (any_resumed)
    table.columns.push_back(Column{title(Word::quality_resumed), Align::right, 50, 0});
  for (const Result& result : input.results) {
    if (!result.quality) continue;
    const QualityResult& quality = *result.quality;
    const TimeToQuality& time = quality.time;
    std::vector<TableCell> row = cell_fields(result.cell, input.options.unicode);
    row.emplace_back(quality.metric);
    row.emplace_back(target_text(quality.target));
    row.emplace_back(say(Word::quality_count, input.language, time.reached, time.trials),
                     tone_of_reached(time));
    row.emplace_back(seconds_text(time.seconds));
    row.emplace_back(samples_text(time.samples));
    row.emplace_back(seconds_per_sample_text(time.seconds_per_sample));
    const QualityCosts costs = quality_costs(quality);
    row.emplace_back(cost_text(costs.evaluation_seconds));
    row.emplace_back(cost_text(costs.checkpoint_seconds));
    if (any_resumed)
      row.emplace_back(costs.resumed == 0
                           ? ""
                           : say(Word::quality_count, input.language, costs.resumed, time.trials));
    table.rows.push_back(std::move(row));
  }
  return table;
}

std::vector<QualityGroup> quality_groups(const std::vector<Result>& results) {
  std::vector<QualityGroup> groups;
  std::map<std::string, std::size_t> places;
  for (const Result& result : results) {
    if (!result.quality) continue;
    const auto [place, is_new] = places.emplace(comparable_key(result), groups.size());
    if (is_new) groups.emplace_back();
    groups[place->second].push_back(&result);
  }
  return groups;
}

std::vector<Equivalence> equivalences(const std::vector<Result>& results) {
  std::vector<Equivalence> found;
  for (const QualityGroup& group : quality_groups(results)) {
    for (const Result* result : group) {
      const auto compare_with = [&](const Result* base) {
        if (base == nullptr || base == result) return;
        const auto comparison = compare_quality(base->quality->trials, result->quality->trials);
        found.push_back({base, result, comparison.samples});
      };
      compare_with(reference_in(group, result->cell.precision));
      compare_with(in_full_precision(group, result->cell.framework));
    }
  }
  return found;
}

std::string samples_answer(Answer answer, Language language) {
  switch (answer) {
    case Answer::faster:
      return std::string(say(Word::samples_fewer, language));
    case Answer::slower:
      return std::string(say(Word::samples_more, language));
    case Answer::same:
      return std::string(say(Word::answer_same, language));
    case Answer::unclear:
      break;
  }
  return std::string(say(Word::answer_unclear, language));
}

std::string ratio_interval_text(const FactorComparison& comparison) {
  if (!std::isfinite(comparison.ratio) || !(comparison.ratio > 0)) return "-";
  return fmt::format("{:.3g} ({:.3g} … {:.3g})", comparison.ratio, comparison.interval.low,
                     comparison.interval.high);
}

Table equivalence_table(const ReportInput& input) {
  const auto title = [&](Word word) { return std::string(say(word, input.language)); };
  Table table;
  table.columns = cell_columns(input.language);
  table.columns.push_back({title(Word::equivalence_base), Align::left, 96, 0});
  table.columns.push_back({title(Word::equivalence_ratio), Align::right, 98, 0});
  table.columns.push_back({title(Word::equivalence_answer), Align::left, last_to_go, 0});
  for (const Equivalence& pair : equivalences(input.results)) {
    std::vector<TableCell> row = cell_fields(pair.other->cell, input.options.unicode);
    row.emplace_back(pair.base->cell.framework + " " + pair.base->cell.precision);
    row.emplace_back(ratio_interval_text(pair.samples));
    const Answer answer = pair.samples.answer;
    const Tone tone = answer == Answer::same      ? Tone::good
                      : answer == Answer::unclear ? Tone::doubtful
                                                  : Tone::bad;
    row.emplace_back(samples_answer(answer, input.language), tone);
    table.rows.push_back(std::move(row));
  }
  return table;
}

std::vector<std::string> quality_sentences(const ReportInput& input) {
  std::vector<std::string> sentences;
  for (const QualityGroup& group : quality_groups(input.results)) {
    const QualityResult& any = *group.front()->quality;
    const std::string what = workload_text(group.front()->cell);
    const Result* best = fastest_of(group);
    if (best == nullptr) {
      sentences.push_back(
          say(Word::quality_nobody, input.language, what, any.metric, target_text(any.target)));
    } else if (group.size() > 1) {
      const std::vector<std::string> rivals = rivals_of(*best, group);
      sentences.push_back(rivals.empty()
                              ? say(Word::quality_winner, input.language, learner_text(*best),
                                    any.metric, target_text(any.target), what,
                                    seconds_text(best->quality->time.seconds))
                              : say(Word::quality_tie, input.language, learner_text(*best),
                                    join(rivals, ", "), any.metric, target_text(any.target), what));
    }
  }
  return sentences;
}

}  // namespace trainmark
