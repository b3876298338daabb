#pragma once

#include <limits>
#include <type_traits>

#include "journal/record.h"

// What the records of a journal hold: the only list of their fields. What is done with them is up
// to the visitor: one writes a record (record.cpp), one reads it (record_reader.cpp), one describes
// it (tests/journal/schema_test.cpp, for docs/schema/journal.schema.json). Each has these
// functions, which take the name of a field, its value, and what a reader of the schema should know
// of it:
//
//   needed        always written; a record without it is refused
//   kept          always written; where it is missing, it is empty
//   given         written where there is something to write; `given_where` lets the record decide
//   figure        like needed; JSON has no infinity and no NaN, so both are written as null, and
//   `null_means` is read given_figure  like given, and may be null group         fields that are
//   there together, or not at all

namespace trainmark {

/// A visitor that reads fills records in; the others look at them.
template <class Fields, class Record>
using Seen = std::conditional_t<Fields::fills_in, Record, const Record>;

/// The smallest whole number that a field may have.
struct Least {
  int value = 0;
};

inline constexpr double infinite = std::numeric_limits<double>::infinity();
inline constexpr double not_a_number = std::numeric_limits<double>::quiet_NaN();

template <class Fields>
void list_fields(Fields& fields, Seen<Fields, Cell>& cell) {
  fields.needed("workload", cell.workload);
  fields.needed("size", cell.size);
  fields.needed("framework", cell.framework, "With its mode: libtorch:eager.");
  fields.needed("precision", cell.precision);
  fields.needed("batch", cell.batch, "Per device.", fields.least_batch);
  fields.needed("accumulate", cell.accumulate,
                "Batches that one optimizer step adds up; 0: several, not known how many.");
  fields.needed("device", cell.device);
  fields.needed("scale", cell.scale);
  fields.given_where(cell.at_most, "at_most", cell.at_most,
                     "Of a planned cell: a smaller batch would do as well.");
  fields.given("shapes", cell.shapes,
               "What differs from the size: resolution, sequence, classes, sample_rate.");
  fields.given("data", cell.data, "Name of the data set; missing where data are made up.");
  fields.given("input", cell.input, "pipeline: batches are made, and nothing is trained.");
}

template <class Fields>
void list_fields(Fields& fields, Seen<Fields, Interval>& interval) {
  fields.figure("low", interval.low, 0);
  fields.figure("high", interval.high, infinite);
}

template <class Fields>
void list_fields(Fields& fields, Seen<Fields, Throughput>& throughput) {
  fields.needed("interval", throughput.interval);
  fields.figure("items", throughput.items, 0);
  fields.figure("seconds", throughput.seconds, 0);
  fields.figure("value", throughput.value, 0, "Items ÷ seconds over the window, of the whole job.");
  fields.figure("relative_error", throughput.relative_error, infinite, "Standard error ÷ value.");
}

template <class Fields>
void list_fields(Fields& fields, Seen<Fields, RunSummary>& summary) {
  fields.needed("steps", summary.steps, "All that the trainer did.");
  fields.needed("warmup", summary.warmup, "Cut at the front.");
  fields.needed("used", summary.used, "In the window.");
  fields.needed("throughput", summary.throughput);
  fields.figure("mean_of_rates", summary.mean_of_rates, not_a_number);
  fields.figure("median_of_rates", summary.median_of_rates, not_a_number);
  fields.figure("step_median", summary.step_median, not_a_number, "Seconds.");
  fields.figure("step_low", summary.step_low, not_a_number, "5 % quantile.");
  fields.figure("step_high", summary.step_high, not_a_number, "95 % quantile.");
  fields.figure("step_max", summary.step_max, not_a_number);
  fields.given_figure("first_loss", summary.first_loss, "Missing where no loss was reported.");
  fields.given_figure("last_loss", summary.last_loss);
  fields.needed(
      "stopped", summary.stopped,
      "interval, plateau, cap, fixed or ended; to quality target, cap, no-progress or nan-loss.");
  fields.needed("converged", summary.converged);
}

template <class Fields>
void list_fields(Fields& fields, Seen<Fields, RankSummary>& rank) {
  fields.given("host", rank.host);
  fields.given_figure("clock_offset", rank.clock_offset);
  fields.figure("step_median", rank.step_median, not_a_number);
  fields.figure("step_high", rank.step_high, not_a_number);
  fields.figure("work_median", rank.work_median, not_a_number);
  fields.given("communication", rank.communication);
  fields.given("exposed", rank.exposed);
  fields.given("input", rank.input);
}

template <class Fields>
void list_fields(Fields& fields, Seen<Fields, RanksSummary>& summary) {
  fields.given("communication", summary.communication);
  fields.given("exposed", summary.exposed);
  fields.given("input", summary.input, "Share of the steps' time in which they waited for it.");
  fields.needed("ranks", summary.ranks);
}

template <class Fields>
void list_fields(Fields& fields, Seen<Fields, Evaluation>& evaluation) {
  fields.needed("step", evaluation.step, "Optimizer steps before it.");
  fields.figure("samples", evaluation.samples, 0, "Trained before it, by all ranks.");
  fields.figure("epoch", evaluation.epoch, 0);
  fields.figure("at", evaluation.at, 0, "Training seconds before it, without evaluations.");
  fields.figure("seconds", evaluation.seconds, 0, "That the evaluation took.");
  fields.figure("quality", evaluation.quality, not_a_number);
  fields.given_figure("loss", evaluation.loss, "Mean over the evaluation set.");
}

template <class Fields>
void list_fields(Fields& fields, Seen<Fields, QualityOutcome>& quality) {
  fields.needed("metric", quality.metric);
  fields.direction("better", quality.higher_is_better, "higher or lower.");
  fields.figure("target", quality.target, not_a_number);
  fields.needed("reached", quality.reached);
  fields.needed("why", quality.why, "target, cap, no-progress, nan-loss or ended.");
  fields.figure("epochs", quality.epochs, 0, "Of the schedule; the most to train.");
  fields.figure("epoch", quality.epoch, 0, "That it came to.");
  fields.figure("seconds", quality.seconds, 0,
                "Training seconds until the target was reached, or until the last evaluation; "
                "checkpoints are in it, evaluations are not.");
  fields.figure("samples", quality.samples, 0, "Trained until then.");
  fields.figure("evaluation_seconds", quality.evaluation_seconds, 0, "Of all evaluations.");
  fields.figure("checkpoint_seconds", quality.checkpoint_seconds, 0,
                "Of all checkpoints since the last start.");
  fields.needed("checkpoints", quality.checkpoints);
  fields.given_figure("evaluation_samples", quality.evaluation_samples);
  fields.given("resumed_at", quality.resumed_at,
               "Samples that were trained before the training was last started.");
  fields.needed("curve", quality.curve);
}

template <class Fields>
void list_fields(Fields& fields, Seen<Fields, NodeRecord>& node) {
  fields.needed("host", node.host);
  fields.given("environment", node.environment,
               "id of an environment record; machines of the same kind share one.");
  fields.given("instance", node.instance, "What tells it from machines of the same kind.");
  fields.given("conditions", node.conditions, "What the machine did meanwhile.");
  fields.given("watts", node.watts, "Of its GPUs in use, while the steps that count were done.");
  fields.given("gpu_busy", node.gpu_busy, "Mean share of that time in which they had work.");
  fields.given("peak_device_bytes", node.peak_device_bytes,
               "The most that the run had on one of them, by its driver.");
}

template <class Fields>
void list_fields(Fields& fields, Seen<Fields, RunRecord>& run) {
  fields.needed("id", run.id, "Unique in its journal.");
  fields.needed("cell", run.cell);
  fields.given("asked", run.asked,
               "Key of the planned cell, where a foreign program's log told more of it.");
  fields.needed("round", run.round, "", Least{1});
  fields.needed("ok", run.ok);
  fields.given_where(!run.ok, "failure", run.failure, "One word; only where ok is false.");
  fields.given_where(!run.ok, "reason", run.reason, "The same in a sentence.");
  fields.needed("started", run.started, "UTC, ISO 8601.");
  fields.needed("seconds", run.seconds, "Of the whole run, set-up included.");
  fields.kept("environment", run.environment,
              "id of an environment record: that of rank 0's machine.");
  fields.kept("command", run.command);
  fields.kept("variables", run.variables);
  fields.seed("seed", run.seed);
  fields.kept("folder", run.folder, "Logs and events, relative to the journal's folder.");
  fields.kept("unit", run.unit);
  fields.given("trainer", run.trainer,
               "The trainer's own start event; of a foreign program: foreign, said, log, "
               "clock_throughput.");
  fields.kept("rule", run.rule);
  fields.kept("summary", run.summary);
  fields.given_where(!run.ranks.ranks.empty(), "ranks", run.ranks);
  fields.given("quality", run.quality, "What a training to quality gave.");
  fields.given("nodes", run.nodes,
               "Every machine of the job, where the ranks ran elsewhere than the bench.");
  fields.given("peak_host_bytes", run.peak_host_bytes);
  fields.given("peak_device_bytes", run.peak_device_bytes);
  fields.given("joules_per_item", run.joules_per_item);
  fields.given("gpu_busy", run.gpu_busy,
               "Mean share of the measured time in which the GPUs in use had work.");
  fields.given("conditions", run.conditions, "What the machine did meanwhile.");
  fields.kept("verdicts", run.verdicts);
}

template <class Fields>
void list_fields(Fields& fields, Seen<Fields, SkipRecord>& skip) {
  fields.planned_cell("cell", skip.cell);
  fields.needed("reason", skip.reason);
}

template <class Fields>
void list_fields(Fields& fields, Seen<Fields, BatchRecord>& batch) {
  fields.needed("cell", batch.cell);
  fields.needed("trials", batch.trials);
  fields.given("searched", batch.searched, "The name of a shape; else it is the batch.");
  fields.given("at_most", batch.at_most, "The batch that the suite would rather have.");
}

template <class Fields>
void list_fields(Fields& fields, Seen<Fields, TurnsRecord>& turns) {
  fields.needed("runs", turns.runs, "ids of the runs that took turns.");
  fields.needed("blocks", turns.blocks,
                "Seconds per item of each run, in the order of `runs`; null where it took no "
                "part.");
  fields.needed("stopped", turns.stopped, "interval, cap or ended.");
  fields.needed("converged", turns.converged);
}

template <class Fields>
void list_fields(Fields& fields, Seen<Fields, SuiteRecord>& suite) {
  fields.needed("name", suite.name);
  fields.kept("title", suite.title);
  fields.kept("text", suite.text, "The suite file; REDACTED stands for secrets.");
  fields.kept("overrides", suite.overrides, "What the command line changed.");
  fields.needed("cells", suite.cells);
  fields.given("planned", suite.planned, "The keys of the cells, as they were planned.");
  fields.given("only", suite.only, "The patterns of --only.");
  fields.needed("rounds", suite.rounds);
  fields.needed("started", suite.started);
  fields.kept("trainmark", suite.trainmark, "Version and commit.");
}

template <class Fields>
void list_fields(Fields& fields, Seen<Fields, EnvironmentRecord>& environment) {
  fields.needed("id", environment.first);
  fields.document("environment", environment.second);
}

template <class Fields>
void list_fields(Fields& fields, Seen<Fields, Difference>& difference) {
  fields.needed("typical", difference.typical, "The median of all tensors.");
  fields.needed("largest", difference.largest);
  fields.needed("where", difference.where, "The tensor that differs most.");
}

template <class Fields>
void list_fields(Fields& fields, Seen<Fields, Lengths>& lengths) {
  fields.needed("gradients", lengths.gradients);
  fields.needed("updates", lengths.updates);
}

template <class Fields>
void list_fields(Fields& fields, Seen<Fields, TensorDifferences>& tensors) {
  fields.needed("gradients", tensors.gradients);
  fields.needed("updates", tensors.updates);
  fields.needed("growth_difference", tensors.growth,
                "Of how far all steps moved the weights along themselves, relative.");
  fields.given("lengths", tensors.lengths,
               "How much longer gradients and updates are than the reference's, along them.");
}

template <class Fields>
void list_fields(Fields& fields, Seen<Fields, Rounding>& rounding) {
  fields.needed("updates", rounding.updates);
  fields.needed("growth_difference", rounding.growth);
  fields.given("first_difference", rounding.first_loss);
  fields.given("largest_difference", rounding.losses);
  fields.given("gradients", rounding.gradients);
  fields.given("lengths", rounding.lengths);
}

template <class Fields>
void list_fields(Fields& fields, Seen<Fields, DropoutDifference>& dropout) {
  fields.needed("rate", dropout.rate);
  fields.needed("steps", dropout.steps);
  fields.needed("mean_difference", dropout.mean, "Of the losses, relative.");
  fields.needed("mean_error", dropout.mean_error, "Standard error of it.");
  fields.needed("scatter", dropout.scatter,
                "Variance of the losses around their trend ÷ the reference's.");
  fields.needed("scatter_error", dropout.scatter_error, "Standard error of its logarithm.");
  fields.needed("gradients", dropout.gradients,
                "Length of the typical matrix' gradient ÷ the reference's.");
}

template <class Fields>
void list_fields(Fields& fields, Seen<Fields, Proof>& proof) {
  fields.needed("cell", proof.cell);
  fields.needed("reference", proof.reference);
  fields.given("reference_precision", proof.reference_precision,
               "Where it is not that of the cell.");
  fields.kept("versions", proof.versions);
  fields.given("reference_versions", proof.reference_versions,
               "Of the reference; proofs of older versions do not have them.");
  fields.needed("steps", proof.steps);
  fields.needed("first_difference", proof.first_difference, "Of the first losses, relative.");
  fields.needed("largest_difference", proof.largest_difference, "Of all losses, relative.");
  fields.needed("tolerance", proof.tolerance, "The largest difference of losses that passes.");
  fields.group("gradients", proof.tensors);
  fields.given("rounding", proof.rounding,
               "Of the reference against itself, trained again with one thread or, in precisions "
               "of few bits, in fp32: what rounding alone does.");
  fields.given("dropout", proof.dropout,
               "Losses with dropout, which chance decides; missing where nothing is dropped.");
  fields.given("differs", proof.differs, "What is too far, the cause first.");
  fields.given("trouble", proof.trouble, "Why nothing could be compared.");
  fields.needed("checked", proof.checked);
}

}  // namespace trainmark
