#include "bench/judge_run.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "base/text.h"
#include "base/verdict_names.h"

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

void take_energy(const EndedRun& run, RunRecord& record) {
  const RunSummary& summary = record.summary;
  if (summary.used == 0 || summary.throughput.value <= 0 || !run.processes.is_here()) return;
  const auto moments = run.source.moments({summary.warmup, summary.warmup + summary.used});
  if (!moments) return;
  const auto watts = run.conditions.gpu_watts(moments->first, moments->second);
  if (watts) record.joules_per_item = *watts / summary.throughput.value;
}

void add_own_verdicts(const EndedRun& run, RunRecord& record) {
  if (run.intervention.killed) {
    record.verdicts.push_back(
        {verdicts::did_not_stop,
         "the trainer did not end when asked, and was ended by force; the steps "
         "before that are used"});
  }
  if (run.lost.events > 0) {
    record.verdicts.push_back(
        {verdicts::steps_not_kept,
         fmt::format("{} bytes of events could not be kept on disk", run.lost.events)});
  }
  if (run.lost.logs > 0) {
    record.verdicts.push_back(
        {verdicts::logs_not_kept, fmt::format("{} bytes of logs were not kept", run.lost.logs)});
  }
  if (run.lost.unsynced) {
    record.verdicts.push_back({verdicts::logs_not_kept,
                               "the folder of the logs could not be synced to disk: a power cut "
                               "may take them"});
  }
}

}  // namespace

void judge_run(const EndedRun& run, RunRecord& record) {
  const std::vector<RankOutcome>& outcomes = run.processes.outcomes();
  const std::vector<Step>& steps = run.figure.steps();
  record.conditions = run.conditions.summary();
  record.conditions["bench_cpu_seconds"] = run.bench_cpu_seconds;

  Failure failure = run.source.judge(outcomes, run.intervention, run.time_limit);
  if (!steps.empty()) {
    record.summary = summarize_run(steps, run.figure.rule(), run.figure.decision());
    record.verdicts = check_run(steps, record.summary);
    if (!failure) failure = judge_steps(record);
    take_energy(run, record);
  }
  run.source.describe(record, outcomes);
  // Elsewhere, this machine's load and clocks tell nothing of the figure.
  if (run.processes.is_here())
    for (const auto& verdict : run.conditions.verdicts()) record.verdicts.push_back(verdict);
  add_own_verdicts(run, record);
  record.ok = !failure;
  record.failure = failure.kind;
  record.reason = failure.reason;
}

}  // namespace trainmark
