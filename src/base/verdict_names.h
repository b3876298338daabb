#pragma once

/// The names of all verdicts. Journals keep them, so they never change. docs/measuring.md and
/// docs/dialects.md say what each means, and src/report/words/words.yaml explains it to readers of
/// a report; a test holds the three together.
namespace trainmark::verdicts {

// From the steps of a run.
inline constexpr const char* not_converged = "not-converged";
inline constexpr const char* no_steady_state = "no-steady-state";
inline constexpr const char* outliers = "outliers";
inline constexpr const char* mean_of_rates_differs = "mean-of-rates-differs";
inline constexpr const char* loss_nan = "loss-nan";
inline constexpr const char* loss_flat = "loss-flat";
inline constexpr const char* gaps_between_steps = "gaps-between-steps";
inline constexpr const char* fewer_steps = "fewer-steps";
inline constexpr const char* drift = "drift";
inline constexpr const char* plateau = "plateau";
inline constexpr const char* target_missed = "target-missed";
inline constexpr const char* did_not_stop = "did-not-stop";
inline constexpr const char* steps_not_kept = "steps-not-kept";
inline constexpr const char* logs_not_kept = "logs-not-kept";

// From the runs of a cell.
inline constexpr const char* single_run = "single-run";
inline constexpr const char* first_run_slower = "first-run-slower";
inline constexpr const char* runs_disagree = "runs-disagree";
inline constexpr const char* runs_failed = "runs-failed";
inline constexpr const char* uneven_turns = "uneven-turns";
inline constexpr const char* no_turns = "no-turns";

// From the machine.
inline constexpr const char* throttled = "throttled";
inline constexpr const char* other_load = "other-load";
inline constexpr const char* stolen_time = "stolen-time";
inline constexpr const char* swapping = "swapping";
inline constexpr const char* frequency_scaling = "frequency-scaling";
inline constexpr const char* nodes_differ = "nodes-differ";
inline constexpr const char* node_silent = "node-silent";

// From what is plausible.
inline constexpr const char* straggler = "straggler";
inline constexpr const char* faster_than_linear = "faster-than-linear";
inline constexpr const char* amp_slower_than_fp32 = "amp-slower-than-fp32";
inline constexpr const char* mfu_above_one = "mfu-above-one";
inline constexpr const char* batch_mismatch = "batch-mismatch";
inline constexpr const char* shape_mismatch = "shape-mismatch";
inline constexpr const char* precision_mismatch = "precision-mismatch";
inline constexpr const char* rank_missing = "rank-missing";

// From what other programs print.
inline constexpr const char* foreign = "foreign";
inline constexpr const char* clock_differs = "clock-differs";
inline constexpr const char* guessed = "guessed";
inline constexpr const char* assumed = "assumed";
inline constexpr const char* too_few_records = "too-few-records";
inline constexpr const char* running_mean = "running-mean";
inline constexpr const char* pauses = "pauses";
inline constexpr const char* rate_not_batch_over_time = "rate-not-batch-over-time";
inline constexpr const char* summary_differs = "summary-differs";
inline constexpr const char* mfu_differs = "mfu-differs";
inline constexpr const char* several_runs = "several-runs";
inline constexpr const char* header_older = "header-older";
inline constexpr const char* no_figure = "no-figure";
inline constexpr const char* gpus_unknown = "gpus-unknown";
inline constexpr const char* nodes_unknown = "nodes-unknown";
inline constexpr const char* batch_unknown = "batch-unknown";
inline constexpr const char* gpus_uncertain = "gpus-uncertain";
inline constexpr const char* gpus_differs = "gpus-differs";
inline constexpr const char* nodes_differs = "nodes-differs";
inline constexpr const char* batch_differs = "batch-differs";
inline constexpr const char* more_ranks_than_gpus = "more-ranks-than-gpus";
inline constexpr const char* ranks_repeat = "ranks-repeat";
inline constexpr const char* decoys = "decoys";
inline constexpr const char* lines_cut = "lines-cut";
inline constexpr const char* records_merged = "records-merged";
inline constexpr const char* file_damaged = "file-damaged";

}  // namespace trainmark::verdicts
