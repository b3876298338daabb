#pragma once

#include "bench/failure.h"
#include "bench/measuring.h"
#include "bench/run_streams.h"
#include "bench/running_figure.h"
#include "bench/step_source.h"
#include "environ/conditions/conditions.h"
#include "journal/record.h"

namespace trainmark {

/// What is known of a run that has ended.
struct EndedRun {
  const StepSource& source;
  const Processes& processes;
  const ConditionsMonitor& conditions;
  const RunningFigure& figure;  // finished
  const Measuring& measuring;
  const Intervention& intervention;
  LostBytes lost;
  double bench_cpu_seconds = 0;  // what measuring itself has cost
};

/// Completes the record of a run with what it measured: the figure, energy, verdicts, and where it
/// gave no figure, why.
void judge_run(const EndedRun& run, RunRecord& record);

}  // namespace trainmark
