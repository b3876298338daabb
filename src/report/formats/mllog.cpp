// Trainings to quality as MLPerf logs them: `:::MLLOG` lines that its compliance checker reads, one
// training after another. docs/quality.md says what is taken from where.

#include <cmath>
#include <ctime>
#include <ostream>

#include "base/json_fields.h"
#include "base/text.h"
#include "report/content/report.h"
#include "report/content/result_json.h"

namespace trainmark {

namespace {

using Json = nlohmann::json;

/// Milliseconds since 1970 of "2026-11-18T12:00:00Z"; 0 where it is no such moment.
double moment_ms(const std::string& text) {
  std::tm parts{};
  const char* rest = strptime(text.c_str(), "%Y-%m-%dT%H:%M:%S", &parts);
  return rest == nullptr ? 0 : 1e3 * static_cast<double>(timegm(&parts));
}

/// Writes the events of one training, with moments in seconds since its trainer was started.
class TrainingLog {
 public:
  TrainingLog(const RunRecord& run, std::ostream& out)
      : file_(run.folder + "/events.jsonl"), begin_ms_(moment_ms(run.started)), out_(out) {}

  void point(const char* key, const Json& value, const Json& more = Json::object()) {
    line("POINT_IN_TIME", key, value, more);
  }
  void start(const char* key, const Json& more = Json::object()) {
    line("INTERVAL_START", key, nullptr, more);
  }
  void stop(const char* key, const Json& more = Json::object()) {
    line("INTERVAL_END", key, nullptr, more);
  }
  void move_to(double seconds) { now_ = seconds; }

 private:
  /// The spaces are those of Python's json: many readers look for texts.
  void line(const char* type, const char* key, const Json& value, const Json& more) {
    std::string metadata = fmt::format("{{\"file\": {}, \"lineno\": {}", json_text(file_), ++line_);
    for (const auto& [name, entry] : more.items())
      metadata += fmt::format(", {}: {}", json_text(name), json_text(entry));
    out_ << fmt::format(
        ":::MLLOG {{\"namespace\": \"\", \"time_ms\": {:.0f}, \"event_type\": \"{}\", \"key\": "
        "\"{}\", \"value\": {}, \"metadata\": {}}}}}\n",
        begin_ms_ + 1e3 * now_, type, key, json_text(value), metadata);
  }

  std::string file_;
  double begin_ms_;
  std::ostream& out_;
  double now_ = 0;
  int line_ = 0;
};

/// The machine, as far as the trainer named it.
std::string platform_of(const RunRecord& run) {
  const std::string device = json_string(run.trainer, "device_name");
  const std::string name = device.empty() ? run.cell.device : device;
  return run.cell.scale.ranks() == 1 ? name : fmt::format("{} x {}", run.cell.scale.ranks(), name);
}

/// Of an epoch: what the data set has, else what was trained in one.
double samples_of_epoch(const RunRecord& run) {
  const Json* data = json_field(run.trainer, "data");
  const auto told = data == nullptr ? std::nullopt : json_number(*data, "samples");
  if (told) return *told;
  const QualityOutcome& quality = *run.quality;
  return quality.epoch > 0 ? std::round(quality.samples / quality.epoch) : quality.samples;
}

/// As the open division of MLPerf Training 4.0 calls it, the last that has both of ours. It knows
/// none of the other workloads: they keep our names, which its checker refuses.
std::string benchmark_of(const std::string& workload) {
  return workload == "resnet50" ? "resnet" : workload;  // bert has the same name there
}

void write_submission(const RunRecord& run, TrainingLog& log) {
  log.point("submission_benchmark", benchmark_of(run.cell.workload),
            {{"workload", run.cell.workload}, {"size", run.cell.model_text()}});
  log.point("submission_org", "trainmark");
  log.point("submission_division", "open");
  log.point("submission_status", "research");
  log.point("submission_platform", platform_of(run));
  log.point("cache_clear", false);
}

void write_settings(const RunRecord& run, TrainingLog& log) {
  const Cell& cell = run.cell;
  const QualityOutcome& quality = *run.quality;
  log.point("seed", run.seed);
  log.point("global_batch_size",
            std::int64_t{cell.batch} * std::max(1, cell.accumulate) * cell.scale.ranks());
  log.point("gradient_accumulation_steps", std::max(1, cell.accumulate));
  log.point("train_samples", static_cast<std::int64_t>(samples_of_epoch(run)));
  log.point("eval_samples", static_cast<std::int64_t>(quality.evaluation_samples));
  log.point(
      "target_accuracy", quality.target,
      {{"metric", quality.metric}, {"better", quality.higher_is_better ? "higher" : "lower"}});
  const Json* told = json_field(run.trainer, "quality");
  const Json* recipe = told == nullptr ? nullptr : json_field(*told, "recipe");
  if (recipe == nullptr) return;
  if (const std::string name = json_string(*recipe, "optimizer"); !name.empty())
    log.point("opt_name", name);
  if (const auto rate = json_number(*recipe, "learning_rate"))
    log.point("opt_base_learning_rate", *rate);
  if (const auto decay = json_number(*recipe, "weight_decay"))
    log.point("opt_weight_decay", *decay);
}

/// From one evaluation to the next is a block. `begin`: when training began.
void write_curve(const QualityOutcome& quality, double begin, TrainingLog& log) {
  double epoch = 0, evaluating = 0;
  for (const Evaluation& evaluation : quality.curve) {
    const Json block = {{"first_epoch_num", epoch}, {"epoch_count", evaluation.epoch - epoch}};
    const Json place = {{"epoch_num", evaluation.epoch}, {"samples_count", evaluation.samples}};
    log.start("block_start", block);
    log.move_to(begin + evaluation.at + evaluating);
    log.stop("block_stop", block);
    log.start("eval_start", place);
    evaluating += evaluation.seconds;
    log.move_to(begin + evaluation.at + evaluating);
    log.point("eval_accuracy",
              std::isfinite(evaluation.quality) ? Json(evaluation.quality) : Json(nullptr), place);
    log.stop("eval_stop", place);
    epoch = evaluation.epoch;
    if (reaches(evaluation.quality, quality.target, quality.higher_is_better)) return;
  }
}

void write_training(const RunRecord& run, std::ostream& out) {
  const QualityOutcome& quality = *run.quality;
  out << "# " << printable(run.cell.key(), 400) << " round " << run.round << '\n';
  TrainingLog log(run, out);
  write_submission(run, log);
  log.start("init_start");
  write_settings(run, log);
  // All that is not training is taken for set-up. A resumed training was longer than its last run.
  const double trained = quality.curve.empty()
                             ? quality.seconds
                             : quality.curve.back().at + quality.evaluation_seconds;
  const double begin = std::max(0.0, run.seconds - trained);
  log.move_to(begin);
  log.stop("init_stop");
  log.start("run_start");
  write_curve(quality, begin, log);
  if (quality.curve.empty()) log.move_to(begin + quality.seconds);
  log.stop("run_stop", {{"status", quality.reached ? "success" : "aborted"},
                        {"samples_count", quality.samples}});
}

void write(const ReportInput& input, std::ostream& out) {
  bool any = false;
  for (const Result& result : input.results) {
    if (!result.quality) continue;
    for (const RunRecord* run : result.quality->runs) write_training(*run, out);
    any = true;
  }
  if (!any) out << "# " << say(Word::no_trainings, input.language) << '\n';
}

const Registration<ReportFormat> registered(
    "mllog", {"trainings to quality as MLPerf logs them (:::MLLOG lines)", write});

}  // namespace

}  // namespace trainmark
