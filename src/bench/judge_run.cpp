#include "bench/judge_run.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "base/text.h"
#include "base/verdict_names.h"
#include "bench/judge_nodes.h"
#include "measure/quality_outcome.h"
#include "measure/quality_rule.h"

namespace trainmark {

namespace {

Failure judge_steps(const RunRecord& record) {
  const auto find = [&](const char* name) {
    return std::find_if(record.verdicts.begin(), record.verdicts.end(),
                        [&](const Verdict& verdict) { return verdict.name == name; });
  };
  if (const auto nan = find(verdicts::loss_nan); nan != record.verdicts.end()) {
    return {"nan-loss", nan->message};
  }
  if (record.summary.used == 0) {
    const auto why = find(verdicts::no_steady_state);
    return {"no-steady-state", why != record.verdicts.end()
                                   ? why->message
                                   : fmt::format("{} cannot be measured: more are needed",
                                                 counted(record.summary.steps, "step"))};
  }
  return {};
}

/// What a training to quality gave. One that missed its target is a result, too.
void judge_quality(const EndedRun& run, RunRecord& record) {
  const QualityTask* task = run.source.quality_task();
  if (task == nullptr || !run.measuring.kind->trains_to_quality) return;
  const std::vector<Evaluation> evaluations = run.source.evaluations();
  const std::vector<Checkpoint> checkpoints = run.source.checkpoints();
  const Decision& decision = run.figure.decision();
  record.quality = quality_outcome({*task, run.figure.steps(), evaluations, checkpoints},
                                   quality_target(run.measuring.values, *task),
                                   decision.stop ? decision.why : "ended");
  if (!record.quality->reached)
    record.verdicts.push_back({verdicts::target_missed, missed_text(*record.quality)});
}

Failure judge_curve(const RunRecord& record) {
  if (!record.quality)
    return {"no-evaluations",
            "the trainer's start event reports no quality: it did not train to a target"};
  if (record.quality->curve.empty() && record.quality->why != "nan-loss")
    return {"no-evaluations", "the training ended without any evaluation"};
  return {};
}

/// Between which the steps that count were done.
std::optional<std::pair<double, double>> counted_moments(const EndedRun& run,
                                                         const RunSummary& summary) {
  if (summary.used == 0 || summary.throughput.value <= 0) return std::nullopt;
  return run.source.moments({summary.warmup, summary.warmup + summary.used});
}

/// What the machines of the run did: this one, or those that its ranks ran on.
void judge_machines(const EndedRun& run, RunRecord& record) {
  const auto moments = counted_moments(run, record.summary);
  std::optional<double> watts;
  if (run.processes.is_here()) {
    for (const auto& verdict : run.conditions.verdicts()) record.verdicts.push_back(verdict);
    if (moments) {
      const auto [begin, end] = *moments;
      watts = total_watts(run.conditions.gpu_power(), begin, end);
      record.gpu_busy = mean_busy(run.conditions.gpu_busy(), begin, end);
    }
    // Programs of others do not say how much memory they have; the driver does.
    if (!record.peak_device_bytes) record.peak_device_bytes = run.conditions.gpu_peak_memory();
  } else {
    // This machine's load and clocks tell nothing of the figure.
    watts = judge_nodes(run.processes.nodes(), moments, record);
  }
  if (watts && moments) record.joules_per_item = *watts / record.summary.throughput.value;
}

void add_own_verdicts(const EndedRun& run, RunRecord& record) {
  if (run.intervention.killed && run.intervention.asked) {
    record.verdicts.push_back({verdicts::did_not_stop,
                               "the trainer did not stop when asked and was killed; the steps "
                               "before that are used"});
  }
  if (run.lost.events > 0) {
    record.verdicts.push_back(
        {verdicts::steps_not_kept,
         fmt::format("{} bytes of events could not be stored on disk", run.lost.events)});
  }
  if (run.lost.logs > 0) {
    record.verdicts.push_back(
        {verdicts::logs_not_kept, fmt::format("{} bytes of logs were not stored", run.lost.logs)});
  }
  if (run.lost.unsynced) {
    record.verdicts.push_back({verdicts::logs_not_kept,
                               "the log folder could not be synced to disk: a power failure "
                               "may destroy the logs"});
  }
}

}  // namespace

void judge_run(const EndedRun& run, RunRecord& record) {
  const std::vector<RankOutcome>& outcomes = run.processes.outcomes();
  const std::vector<Step>& steps = run.figure.steps();
  record.conditions = run.conditions.summary();
  record.conditions["bench_cpu_seconds"] = run.bench_cpu_seconds;

  Failure failure = run.source.judge(outcomes, run.intervention, run.measuring.time_limit);
  if (!steps.empty()) {
    record.summary = summarize_run(steps, run.figure.rule(), run.figure.decision());
    record.verdicts = check_run(steps, record.summary);
  }
  judge_quality(run, record);
  if (!failure) {
    failure = run.measuring.kind->trains_to_quality ? judge_curve(record)
              : steps.empty()                       ? Failure{}
                                                    : judge_steps(record);
  }
  run.source.describe(record, outcomes);
  judge_machines(run, record);
  add_own_verdicts(run, record);
  record.ok = !failure;
  record.failure = failure.kind;
  record.reason = failure.reason;
}

}  // namespace trainmark
