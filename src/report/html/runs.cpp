#include "report/html/runs.h"

#include <algorithm>
#include <cmath>

#include "base/text.h"
#include "report/content/run_steps.h"
#include "report/content/step_trace.h"

namespace trainmark {

namespace {

using Json = nlohmann::json;

// Of all traces of a page together. A bucket is two numbers of about nine letters: 5 MB.
constexpr std::size_t all_buckets = 250'000;
constexpr std::size_t all_losses = 80'000;

std::size_t share(std::size_t all, std::size_t runs, std::size_t least, std::size_t most) {
  return std::clamp(all / std::max<std::size_t>(1, runs), least, most);
}

/// As many digits as a chart can show.
Json rounded(double value) {
  if (!std::isfinite(value)) return nullptr;
  return std::stod(fmt::format("{:.5g}", value));
}

Json rounded(const std::vector<double>& values) {
  Json list = Json::array();
  for (const double value : values) list.push_back(rounded(value));
  return list;
}

Json trace_json(const StepTrace& trace) {
  Json json = {{"steps", trace.steps}, {"bucket", trace.bucket}, {"low", rounded(trace.low)}};
  if (!trace.high.empty()) json["high"] = rounded(trace.high);
  return json;
}

/// The curve of a training, thinned where it is long; its last point stays.
Json quality_json(const QualityOutcome& outcome, std::size_t most) {
  Json at = Json::array(), samples = Json::array(), quality = Json::array();
  const std::size_t every = 1 + outcome.curve.size() / std::max<std::size_t>(1, most);
  for (std::size_t i = 0; i < outcome.curve.size(); ++i) {
    if (i % every != 0 && i + 1 != outcome.curve.size()) continue;
    const Evaluation& evaluation = outcome.curve[i];
    at.push_back(rounded(evaluation.at));
    samples.push_back(rounded(evaluation.samples));
    quality.push_back(rounded(evaluation.quality));
  }
  return {{"reached", outcome.reached},
          {"why", outcome.why},
          {"at", std::move(at)},
          {"samples", std::move(samples)},
          {"quality", std::move(quality)}};
}

Json summary_json(const RunSummary& summary) {
  return {{"steps", summary.steps},
          {"warmup", summary.warmup},
          {"used", summary.used},
          {"value", rounded(summary.throughput.value)},
          {"low", rounded(summary.throughput.interval.low)},
          {"high", rounded(summary.throughput.interval.high)},
          {"text", figure(summary.throughput.value)},
          {"median", rounded(summary.step_median)},
          {"stopped", summary.stopped}};
}

}  // namespace

std::size_t SharedTexts::place(const std::string& text) {
  const auto [found, is_new] = places_.try_emplace(text, texts_.size());
  if (is_new) texts_.push_back(text);
  return found->second;
}

RunPages::RunPages(const JournalContents& contents, SharedTexts& texts)
    : contents_(contents),
      texts_(texts),
      most_buckets_(share(all_buckets, contents.runs.size(), 16, 1000)),
      most_losses_(share(all_losses, contents.runs.size(), 8, 400)) {}

Json RunPages::run(const RunRecord& run, std::vector<double>& window) const {
  Json json = {{"id", run.id},
               {"round", run.round},
               {"seed", run.seed},
               {"started", run.started},
               {"seconds", rounded(run.seconds)},
               {"environment", texts_.place(run.environment)},
               {"rule", texts_.place(run.rule)}};
  Json& command = json["command"] = Json::array();
  for (const std::string& word : run.command) command.push_back(texts_.place(shell_line({word})));
  if (!run.folder.empty()) json["folder"] = run.folder;
  if (!run.verdicts.empty()) json["verdicts"] = run.verdicts;
  if (run.ok) {
    json["summary"] = summary_json(run.summary);
  } else {
    json["failure"] = run.failure;
    json["reason"] = run.reason;
  }
  if (run.quality) json["quality"] = quality_json(*run.quality, most_losses_);
  const std::vector<Step> steps = steps_of(contents_.folder, run);
  if (steps.empty()) return json;
  const std::vector<double> seconds = step_intervals(steps);
  json["trace"] = trace_json(thin_steps(seconds, most_buckets_));
  const LossTrace losses = thin_losses(steps, most_losses_);
  if (!losses.at.empty()) json["losses"] = {{"at", losses.at}, {"values", rounded(losses.losses)}};
  if (run.ok) {
    const std::size_t first = std::min(run.summary.warmup, seconds.size());
    const std::size_t last = std::min(first + run.summary.used, seconds.size());
    window.insert(window.end(), seconds.begin() + static_cast<std::ptrdiff_t>(first),
                  seconds.begin() + static_cast<std::ptrdiff_t>(last));
  }
  return json;
}

void RunPages::add(const Result& result, Json& json) {
  Json& list = json["runs"] = Json::array();
  std::vector<double> window;
  for (const auto* runs : {&result.runs, &result.failed})
    for (const RunRecord* record : *runs) list.push_back(run(*record, window));
  if (window.empty()) return;
  const Histogram found = histogram(window);
  json["histogram"] = {
      {"from", rounded(found.from)}, {"width", rounded(found.width)},     {"counts", found.counts},
      {"beyond", found.beyond},      {"longest", rounded(found.longest)}, {"steps", window.size()}};
}

}  // namespace trainmark
