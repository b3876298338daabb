#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "journal/quality_result.h"
#include "journal/record.h"
#include "measure/result.h"
#include "measure/turns.h"

namespace trainmark {

/// All that a journal holds, read once. Reports and comparisons start from here.
struct JournalContents {
  std::string folder;
  std::vector<SuiteRecord> suites;  // one a session
  std::map<std::string, nlohmann::json> environments;
  std::vector<RunRecord> runs;
  std::vector<SkipRecord> skips;
  std::vector<BatchRecord> batches;
  std::vector<TurnsRecord> turns;
  std::vector<Proof> proofs;
  std::vector<std::string> damage;  // records that could not be read, in words
  std::vector<std::uint32_t> sums;  // of the lines that could be read, in their order
};

/// How a result compares with another that it took turns with.
struct Versus {
  Cell base;
  PairedRatio ratio;
};

/// What its input costs a training on a data set: the same training on data that lie on the device
/// already is the measure.
struct InputCost {
  double share = 0;                // of the speed: 0.1, where it is a tenth slower
  Interval interval;               // 95 %, of the share; negative where it may be faster
  bool by_turns = false;           // the interval is that of a paired ratio
  std::optional<double> pipeline;  // items/s of the pipeline alone
  std::optional<double> cores;     // that the pipeline would need to feed the step at full speed
};

/// One row of a report: a cell with everything its runs say.
struct Result {
  Cell cell;
  std::string unit;
  std::vector<const RunRecord*> runs;    // successful ones, in the order of rounds
  std::vector<const RunRecord*> failed;  // finished badly
  CellThroughput throughput;             // value 0 where no run succeeded
  std::optional<double> speedup;     // median ÷ median of the same cell at 1n1g, where measured
  std::optional<double> efficiency;  // speedup ÷ ranks
  /// Model FLOPs utilisation: the share of the device's matrix rate, as a probe has measured it.
  std::optional<double> utilisation;
  std::optional<double> joules_per_item;  // mean of the runs
  std::optional<double> gpu_busy;  // share of the time in which the GPUs had work; mean of the runs
  std::optional<double> communication;   // share of the time, where ranks tell it; mean of the runs
  std::optional<double> exposed;         // the part of it in which they only waited
  std::optional<double> input_wait;      // share of the time in which steps waited for their input
  std::optional<InputCost> input_cost;   // of a training on a data set, where its step was measured
  std::optional<QualityResult> quality;  // of cells that were trained to one
  std::optional<Versus> versus;          // with the first of those it took turns with
  bool is_turn_base = false;             // it is that first one
  Verdicts verdicts;                     // of all runs and of the whole, each name once
};

/// Groups the runs by cell, in the order in which cells first appear. The pointers point into
/// `contents`, which must outlive the results.
std::vector<Result> results_of(const JournalContents& contents);

/// The summaries of a result's good runs, for measure/.
std::vector<RunSummary> summaries(const Result& result);

}  // namespace trainmark
