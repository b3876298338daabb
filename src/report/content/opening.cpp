#include "report/content/opening.h"

#include <set>

#include "base/text.h"
#include "report/content/conclusion.h"
#include "report/content/figures.h"
#include "report/content/quality.h"

namespace trainmark {

namespace {

/// Of one framework: its only figure, or what its figures have in common.
std::string of_one_framework(const std::vector<const Result*>& measured, Language language,
                             bool unicode) {
  std::set<std::string> workloads;
  std::vector<double> widths;
  for (const Result* result : measured) {
    workloads.insert(result->cell.workload);
    if (const auto share = relative_interval(*result)) widths.push_back(*share);
  }
  if (widths.empty()) return "";
  const std::string framework = printable(measured.front()->cell.framework);
  const double typical = median(widths);
  const std::string known = half_width_text(typical, unicode);
  const std::string least = least_difference(typical);
  if (measured.size() == 1)
    return say(Word::opening_figure, language, framework, printable(*workloads.begin()),
               throughput_text(*measured.front()), known, least);
  const std::string trained = workloads.size() == 1
                                  ? printable(*workloads.begin())
                                  : say(Word::opening_workloads, language, workloads.size());
  return say(Word::opening_figures, language, framework, trained, known, least);
}

}  // namespace

std::string opening(const ReportInput& input, const std::vector<Contest>& contests,
                    Language language) {
  if (std::string sentence = headline(contests, language); !sentence.empty()) return sentence;
  const ReportInput spoken{input.contents, input.results, language, input.options};
  std::vector<const Result*> measured;
  std::set<std::string> frameworks;
  for (const Result& result : input.results) {
    if (result.runs.empty() || is_self_check(result, input.results)) continue;
    measured.push_back(&result);
    frameworks.insert(result.cell.framework);
  }
  if (frameworks.size() == 1 && quality_sentences(spoken).empty())
    return of_one_framework(measured, language, input.options.unicode);
  const std::vector<std::string> sentences = conclusion(spoken);
  return sentences.empty() ? "" : sentences.front();
}

}  // namespace trainmark
