#include "report/html/data.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <ostream>
#include <set>

#include "base/text.h"
#include "base/version.h"
#include "report/content/contests.h"
#include "report/content/differences.h"
#include "report/content/environment_parts.h"
#include "report/content/environment_uses.h"
#include "report/content/figures.h"
#include "report/content/input_costs.h"
#include "report/content/opening.h"
#include "report/content/quality.h"
#include "report/content/quality_costs.h"
#include "report/content/result_json.h"
#include "report/content/sameness.h"
#include "report/content/scaling.h"
#include "report/content/suite_command.h"
#include "report/content/way_to_logs.h"
#include "report/html/page.h"
#include "report/html/runs.h"

namespace trainmark {

namespace {

using Json = nlohmann::json;

Json phrases(std::span<const Phrase> list) {
  Json json = Json::object();
  for (const Phrase& phrase : list)
    json[std::string(phrase.key)] = {{"en", phrase.en}, {"zh", phrase.zh}};
  return json;
}

template <class Say>
Json in_both(const Say& say_in) {
  return {{"en", say_in(Language::en)}, {"zh", say_in(Language::zh)}};
}

Json quality_texts(const Result& result) {
  if (!result.quality) return nullptr;
  const TimeToQuality& time = result.quality->time;
  const QualityCosts costs = quality_costs(*result.quality);
  return {{"target", target_text(result.quality->target)},
          {"seconds", seconds_text(time.seconds)},
          {"samples", samples_text(time.samples)},
          {"seconds_per_sample", seconds_per_sample_text(time.seconds_per_sample)},
          {"evaluations", cost_text(costs.evaluation_seconds)},
          {"checkpoints", cost_text(costs.checkpoint_seconds)}};
}

/// The figures as every report writes them.
Json texts_of(const Result& result, const std::optional<Price>& price) {
  const std::size_t all = result.runs.size() + result.failed.size();
  return {{"throughput", throughput_text(result)},
          {"interval", interval_text(result, true)},
          {"step", step_text(result)},
          {"memory", memory_text(result)},
          {"utilisation", utilisation_text(result)},
          {"energy", energy_text(result)},
          {"gpu_busy", gpu_busy_text(result)},
          {"input_cost", input_cost_text(result)},
          {"input_wait", share_text(result.input_wait)},
          {"cost", cost_text(result, price)},
          {"speedup", ratio_text(result.speedup)},
          {"versus", versus_text(result, true)},
          {"quality", quality_texts(result)},
          {"efficiency", share_text(result.efficiency)},
          {"batch", batch_text(result.cell, true)},
          {"runs", result.failed.empty() ? std::to_string(all)
                                         : fmt::format("{}/{}", result.runs.size(), all)}};
}

Json result_page(const Result& result, const std::optional<Price>& price, RunPages& runs) {
  Json json = result_json(result, false);
  json["text"] = texts_of(result, price);
  if (const auto cost = cost_of_million(result, price)) json["cost_per_million"] = *cost;
  json["cell"]["ranks"] = result.cell.scale.ranks();
  json["cell"]["size"] = result.cell.size_text();
  if (is_imported(result)) json["imported"] = true;
  json["relative_interval"] = relative_interval(result).value_or(0);
  runs.add(result, json);
  return json;
}

Json suites_of(const JournalContents& contents) {
  Json list = Json::array();
  for (const SuiteRecord* suite : different_suites(contents.suites))
    list.push_back({{"name", suite->name},
                    {"title", suite->title},
                    {"file", suite_file(*suite)},
                    {"text", suite->text},
                    {"command", shell_line(suite_command(*suite))},
                    {"started", suite->started},
                    {"cells", suite->cells},
                    {"rounds", suite->rounds},
                    {"trainmark", suite->trainmark}});
  return list;
}

/// A name that is the same in every language, a label with its colon, and a value each.
Json facts_of(const AreaLines& lines) {
  Json list = Json::array();
  for (const auto& line : lines)
    list.push_back(
        {{"name", line.first},
         {"label", in_both([&](Language language) {
            return line.first.empty() ? "" : label_in(language, line.first);
          })},
         {"value", in_both([&](Language language) { return fact_in(language, line.second); })}});
  return list;
}

Json environments_of(const JournalContents& contents) {
  std::map<std::string, EnvironmentUse> uses = environment_uses(contents);
  Json list = Json::array();
  for (const auto& [id, environment] : contents.environments) {
    if (!environment.is_object()) continue;
    Json parts = Json::array();
    for (const EnvironmentPart& part : environment_parts(environment))
      parts.push_back({{"title", in_both([&](Language language) { return part.title(language); })},
                       {"software", part.software},
                       {"lines", facts_of(part.lines)}});
    const EnvironmentUse& use = uses[id];
    list.push_back({{"id", id}, {"runs", use.runs}, {"parts", std::move(parts)}});
    if (!use.hosts.empty()) list.back()["hosts"] = use.hosts;
  }
  return list;
}

/// Between the environments that are shown, in their order.
Json environment_differences_of(const JournalContents& contents) {
  std::vector<const Json*> environments;
  for (const auto& [id, environment] : contents.environments)
    if (environment.is_object()) environments.push_back(&environment);
  return html_differences(differences_between(environments));
}

Json proof_json(const Sameness& sameness) {
  Json json = {
      {"framework", sameness.framework},
      {"precision", sameness.precision},
      {"state", state_name(sameness.state)},
      {"text", in_both([&](Language language) { return sameness_text(sameness, language); })}};
  if (sameness.proof == nullptr) return json;
  const Proof& proof = *sameness.proof;
  json["size"] = proof.cell.size;
  json["steps"] = proof.steps;
  json["first_difference"] = proof.first_difference;
  json["largest_difference"] = proof.largest_difference;
  json["tolerance"] = proof.tolerance;
  return json;
}

Json groups_of(const ReportInput& input) {
  const std::vector<Proof> proofs = newest(input.contents.proofs);
  Json list = Json::array();
  for (const WorkloadGroup& group : group_results(input.results)) {
    const Differences found = differences_of(group);
    Json differences = Json::array(), sameness = Json::array();
    for (const DifferingFact& difference : found.differences)
      differences.push_back({{"name", in_both([&](Language language) {
                                return difference_title(difference.name, language);
                              })},
                             {"values", difference.values}});
    for (const Sameness& entry : sameness_of(proofs, group)) sameness.push_back(proof_json(entry));
    list.push_back({{"title", group.title()},
                    {"workload", group.workload},
                    {"size", group.size},
                    {"device", group.device},
                    {"unit", group.unit},
                    {"frameworks", found.frameworks},
                    {"differences", std::move(differences)},
                    {"proofs", std::move(sameness)}});
  }
  return list;
}

Json standing_json(const Standing& standing) {
  Json json = {{"key", standing.result->cell.key()}, {"place", place_name(standing.place)}};
  const Comparison& versus = standing.versus;
  if (versus.ratio > 0) {
    json["ratio"] = versus.ratio;
    json["text"] = fmt::format("{:.3f}", versus.ratio);
    if (std::isfinite(versus.interval.high))
      json["text"] = fmt::format("{:.3f}, {:.3f} … {:.3f}", versus.ratio, versus.interval.low,
                                 versus.interval.high);
  }
  return json;
}

Json contests_json(const std::vector<Contest>& contests) {
  Json list = Json::array();
  for (const Contest& contest : contests) {
    Json standings = Json::array();
    for (const Standing& standing : contest.standings) standings.push_back(standing_json(standing));
    list.push_back({{"workload", contest.workload},
                    {"size", contest.size},
                    {"device", contest.device},
                    {"precision", contest.precision},
                    {"scale", contest.scale.text()},
                    {"usual", contest.usual},
                    {"standings", std::move(standings)}});
  }
  return list;
}

/// Whether all learn from as many samples.
Json equivalence_of(const ReportInput& input) {
  Json list = Json::array();
  for (const Equivalence& pair : equivalences(input.results))
    list.push_back({{"base", pair.base->cell.key()},
                    {"key", pair.other->cell.key()},
                    {"ratio", ratio_interval_text(pair.samples)},
                    {"answer", text(pair.samples.answer)},
                    {"text", in_both([&](Language language) {
                       return samples_answer(pair.samples.answer, language);
                     })}});
  return list;
}

Json skipped_of(const ReportInput& input) {
  Json list = Json::array();
  for (const SkipRecord* skip : skipped_cells(input))
    list.push_back({{"key", skip->cell.key()}, {"reason", skip->reason}});
  return list;
}

/// Sessions of one suite may have been begun with other cells and other rounds.
std::size_t planned_runs(const std::vector<SuiteRecord>& suites) {
  std::set<std::string> cells;
  int rounds = 0;
  std::size_t planned = 0;
  for (const SuiteRecord* suite : different_suites(suites))  // of older journals
    planned += suite->cells * static_cast<std::size_t>(std::max(0, suite->rounds));
  for (const SuiteRecord& suite : suites) {
    cells.insert(suite.planned.begin(), suite.planned.end());
    if (!suite.planned.empty()) rounds = std::max(rounds, suite.rounds);
  }
  return cells.empty() ? planned : cells.size() * static_cast<std::size_t>(rounds);
}

/// How far the last session has come, for a page that follows it.
Json live_of(const ReportInput& input) {
  Json live = {{"version", input.options.live_version}, {"runs", input.contents.runs.size()}};
  if (input.contents.suites.empty()) return live;
  live["planned"] = planned_runs(input.contents.suites);
  return live;
}

Json references_of(const std::vector<PublishedFigure>& figures) {
  Json list = Json::array();
  for (const PublishedFigure& published : figures)
    list.push_back({{"cell", published.cell},
                    {"unit", published.unit},
                    {"value", published.throughput},
                    {"text", figure(published.throughput)},
                    {"source", published.source}});
  return list;
}

}  // namespace

void write_html_view(const std::string& name, const Json& view, const std::string& title,
                     Language language, std::ostream& out) {
  const Json none = Json::array();
  const Json data = {
      {"schema", schema_version},
      {"language", language == Language::zh ? "zh" : "en"},
      {"title", title},
      {"trainmark", fmt::format("{} ({})", version(), commit())},
      {"phrases",
       {{"verdicts", phrases(verdict_phrases())}, {"failures", phrases(failure_phrases())}}},
      {"doubtful", doubtful_verdicts()},
      {"suites", none},
      {"environments", none},
      {"groups", none},
      {"contests", none},
      {"skipped", none},
      {"damage", none},
      {"results", none},
      {"texts", none},
      {"references", none},
      {name, view}};
  write_html_page(out, [&](std::ostream& place) { place << script_safe(json_text(data)); });
}

Json html_differences(const std::vector<EnvironmentDifference>& differences) {
  Json list = Json::array();
  for (const EnvironmentDifference& difference : differences)
    list.push_back(
        {{"name", in_both([&](Language language) { return difference.title(language); })},
         {"values", in_both([&](Language language) { return difference.values(language); })}});
  return list;
}

void write_html_data(const ReportInput& input, std::ostream& out) {
  const auto field = [&](const char* name, const Json& value) {
    out << '"' << name << "\":" << script_safe(json_text(value)) << ",\n";
  };
  out << "{\n";
  field("schema", schema_version);
  field("language", input.language == Language::zh ? "zh" : "en");
  field("title", subject_of(input.contents.suites, input.contents.folder));
  field("trainmark", fmt::format("{} ({})", version(), commit()));
  field("logs", way_to_logs(input));
  if (!input.options.live_version.empty()) field("live", live_of(input));
  field("phrases",
        {{"verdicts", phrases(verdict_phrases())}, {"failures", phrases(failure_phrases())}});
  field("doubtful", doubtful_verdicts());
  field("suites", suites_of(input.contents));
  field("environments", environments_of(input.contents));
  field("environment_differences", environment_differences_of(input.contents));
  field("groups", groups_of(input));
  const std::vector<Contest> contests = contests_of(input);
  field("contests", contests_json(contests));
  field("headline", in_both([&](Language language) { return opening(input, contests, language); }));
  field("equivalence", equivalence_of(input));
  field("skipped", skipped_of(input));
  field("damage", input.contents.damage);
  field("references", references_of(input.options.references));
  SharedTexts texts;
  RunPages runs(input.contents, texts);
  out << "\"results\":[";
  // One at a time, a line each: a journal may hold ten thousand.
  const char* between = "\n";
  for (const Result& result : input.results) {
    out << between << script_safe(json_text(result_page(result, input.options.price, runs)));
    between = ",\n";
  }
  out << "],\n\"texts\":" << script_safe(json_text(texts.all())) << "\n}";
}

}  // namespace trainmark
