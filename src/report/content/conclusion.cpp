#include "report/content/conclusion.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "base/json_fields.h"
#include "base/text.h"
#include "base/verdict_names.h"
#include "report/content/figures.h"
#include "report/content/quality.h"
#include "report/content/sameness.h"

namespace trainmark {

namespace {

constexpr const char* clock_workload = "clock";
constexpr std::size_t fewest_to_wander = 3;  // cells: one or two may have reasons of their own

bool any_has_warning(const std::vector<const Result*>& results, std::string_view name) {
  return std::any_of(results.begin(), results.end(),
                     [&](const Result* result) { return has_warning(*result, name); });
}

/// How well figures and ratios are known.
std::vector<std::string> certainty(const std::vector<const Result*>& measured,
                                   const ReportInput& input) {
  const bool unicode = input.options.unicode;
  std::set<std::string> workloads, frameworks;
  std::vector<double> widths, ratio_widths;
  std::size_t believed = 0;
  for (const Result* result : measured) {
    workloads.insert(result->cell.workload);
    frameworks.insert(result->cell.framework);
    if (const auto share = relative_interval(*result)) widths.push_back(*share);
    if (!result->versus) continue;
    const PairedRatio& ratio = result->versus->ratio;
    ratio_widths.push_back(ratio.half_width);
    if (std::abs(std::log(ratio.ratio)) > ratio.sure_half_width) ++believed;
  }
  std::vector<std::string> sentences;
  if (widths.empty()) return sentences;
  const double typical = median(widths);
  const auto number = [&](std::size_t count, Word one, Word several) {
    return count == 1 ? std::string(say(one, input.language)) : say(several, input.language, count);
  };
  sentences.push_back(say(Word::conclusion_figures, input.language,
                          number(workloads.size(), Word::one_workload, Word::opening_workloads),
                          number(frameworks.size(), Word::one_framework, Word::several_frameworks),
                          half_width_text(typical, unicode)));
  if (!ratio_widths.empty()) {
    sentences.push_back(say(Word::conclusion_ratios, input.language,
                            half_width_text(median(ratio_widths), unicode), believed,
                            ratio_widths.size()));
  } else {
    sentences.push_back(say(Word::conclusion_noise, input.language, least_difference(typical)));
  }
  return sentences;
}

/// Where the runs of most cells differ, the machine does: no figure of one cell explains that.
std::string wander(const std::vector<const Result*>& measured, const ReportInput& input) {
  std::vector<double> spreads;
  std::size_t disagreeing = 0;
  for (const Result* result : measured) {
    if (result->runs.size() < 2) continue;
    spreads.push_back(result->throughput.relative_spread);
    if (has_warning(*result, verdicts::runs_disagree)) ++disagreeing;
  }
  if (spreads.size() < fewest_to_wander || 2 * disagreeing < spreads.size()) return "";
  return say(Word::conclusion_wander, input.language,
             fmt::format("{:.2g} %", 100 * median(spreads)));
}

/// What would tell more, the cheapest first.
std::string advice(const std::vector<const Result*>& measured, Language language) {
  if (any_has_warning(measured, verdicts::other_load))
    return std::string(say(Word::conclusion_quiet, language));
  if (any_has_warning(measured, verdicts::single_run) ||
      any_has_warning(measured, verdicts::not_converged) ||
      any_has_warning(measured, verdicts::runs_disagree))
    return std::string(say(Word::conclusion_rounds, language));
  return "";
}

/// How many figures of several frameworks are known to be of the same training. Of our trainers:
/// `verify` knows no others.
std::string proven(const std::vector<const Result*>& measured, const ReportInput& input) {
  using State = Sameness::State;
  std::map<std::string, std::set<std::string>> frameworks;
  for (const Result* result : measured)
    if (!is_foreign(*result)) frameworks[result->cell.workload].insert(result->cell.framework);
  const std::vector<Proof> proofs = newest(input.contents.proofs);
  std::size_t compared = 0, known = 0;
  for (const Result* result : measured) {
    if (is_foreign(*result) || frameworks[result->cell.workload].size() < 2) continue;
    const State state = sameness_of(proofs, *result).state;
    ++compared;
    if (state == State::same || state == State::reference) ++known;
  }
  if (compared == 0) return "";
  return say(known == compared ? Word::conclusion_all_proven : Word::conclusion_proofs,
             input.language, known, compared);
}

std::string self_check(const Result& result, const ReportInput& input) {
  if (result.runs.empty()) return "";
  const auto truth = json_number(result.runs.front()->trainer, "known_throughput");
  if (!truth || !(*truth > 0)) return "";
  const double off = std::abs(result.throughput.value / *truth - 1);
  return say(Word::conclusion_clock, input.language,
             off < 0.0001 ? "< 0.01 %" : fmt::format("{:.2g} %", 100 * off));
}

}  // namespace

std::string least_difference(double relative_interval) {
  // Two figures with an interval each: their difference is less certain than either.
  const double least = std::clamp(100 * std::sqrt(2.0) * relative_interval, 0.01, 100.0);
  return least < 99.5 ? fmt::format("{:.2g} %", least) : "100 %";
}

bool is_self_check(const Result& result, const std::vector<Result>& results) {
  return result.cell.workload == clock_workload &&
         std::any_of(results.begin(), results.end(), [](const Result& other) {
           return other.cell.workload != clock_workload && !other.runs.empty();
         });
}

std::vector<FoldedWarning> folded_warnings(const std::vector<Result>& results) {
  std::vector<FoldedWarning> folded;
  std::map<std::string_view, std::size_t> places;
  for (const Result& result : results) {
    for (const Verdict& verdict : result.verdicts) {
      const auto [place, is_new] = places.try_emplace(verdict.name, folded.size());
      if (is_new) folded.push_back({&verdict, 0});
      ++folded[place->second].cells;
    }
  }
  std::stable_sort(folded.begin(), folded.end(),
                   [](const auto& a, const auto& b) { return a.cells > b.cells; });
  return folded;
}

std::vector<std::string> conclusion(const ReportInput& input) {
  std::vector<const Result*> measured;
  std::string checked;
  for (const Result& result : input.results) {
    if (is_self_check(result, input.results)) {
      checked = self_check(result, input);
    } else if (!result.runs.empty()) {
      measured.push_back(&result);
    }
  }
  std::vector<std::string> sentences = quality_sentences(input);
  for (std::string& sentence : certainty(measured, input)) sentences.push_back(std::move(sentence));
  if (const std::string machine = wander(measured, input); !sentences.empty() && !machine.empty())
    sentences.push_back(machine);
  if (const std::string more = advice(measured, input.language);
      !sentences.empty() && !more.empty())
    sentences.push_back(more);
  if (const std::string proofs = proven(measured, input); !sentences.empty() && !proofs.empty())
    sentences.push_back(proofs);
  if (!checked.empty()) sentences.push_back(checked);
  return sentences;
}

}  // namespace trainmark
