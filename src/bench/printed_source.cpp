#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "base/text.h"
#include "base/time.h"
#include "base/verdict_names.h"
#include "bench/step_source.h"
#include "journal/foreign.h"
#include "logs/generic/scheme_words.h"
#include "logs/live_log.h"
#include "protocol/event_lines.h"

namespace trainmark {

namespace {

// Beyond this, the printed speed and wall-clock time disagree …
constexpr double clock_limit = 0.03;
// … unless the window is so short that arrival times explain it.
constexpr double clock_slack = 0.2;  // seconds
// Steps are made again from all records, so only when there are this many times as many.
constexpr double look_growth = 1.02;

/// Leaves out the steps in which the program was held, and the time that they took, on its clock
/// and on ours: what it printed of itself then holds the others' turns. The step behind goes, too:
/// one that was held after it took the time and before it printed it counts the hold there.
PrintedSteps without_holds(PrintedSteps printed, const std::vector<double>& holds) {
  if (holds.empty()) return printed;
  PrintedSteps kept = printed;
  kept.steps.clear();
  kept.iterations.clear();
  kept.arrivals.assign(1, printed.arrivals.front());
  double left_out = 0;
  double waited = 0;
  bool held_before = false;
  for (std::size_t i = 0; i < printed.steps.size(); ++i) {
    const double begin = printed.arrivals[i];
    const double end = printed.arrivals[i + 1];
    const bool held = std::any_of(holds.begin(), holds.end(),
                                  [&](double moment) { return begin <= moment && moment < end; });
    const bool spoilt = held || held_before;
    held_before = held;
    if (spoilt) {
      left_out += step_interval(printed.steps, i);
      waited += end - begin;
      continue;
    }
    kept.iterations.push_back(printed.iterations[i]);
    kept.steps.push_back(printed.steps[i]);
    kept.steps.back().end -= left_out;
    kept.arrivals.push_back(end - waited);
  }
  return kept;
}

/// A program that was not written for Trainmark, measured from the lines that it prints.
class PrintedSource : public StepSource {
 public:
  PrintedSource(const PlannedCell& planned, const LiveOptions& options)
      : planned_(planned), log_(options) {}

  void receive(std::size_t, Stream stream, std::string_view bytes) override {
    log_.feed(stream == Stream::errors ? 1 : 0, bytes, monotonic_seconds());
  }

  void finish(bool) override {
    log_.finish();
    printed_ = without_holds(log_.steps(), holds_);
  }

  /// Records may be dropped on the way to steps, so they tell only whether to look again.
  std::size_t count() const override {
    const auto records = static_cast<double>(log_.records());
    if (log_.readings() != reading_ || records > look_growth * seen_) {
      reading_ = log_.readings();
      seen_ = records;
      printed_ = without_holds(log_.steps(), holds_);
    }
    return printed_.steps.size();
  }

  std::vector<Step> steps() const override {
    count();
    return printed_.steps;
  }

  void note_hold(double moment) override {
    holds_.push_back(moment);
    seen_ = 0;
  }

  bool is_broken() const override { return !log_.objection().empty() || log_.is_hopeless(); }

  Failure judge(const std::vector<RankOutcome>& outcomes, const Intervention& intervention,
                double time_limit) const override {
    const RankOutcome& outcome = outcomes.front();
    if (!outcome.start_error.empty())
      return {"start-failed", "the program could not be started: " + outcome.start_error};
    if (const std::string objection = log_.objection(); !objection.empty())
      return {"no-records", "pattern: " + objection};
    if (log_.is_hopeless() && printed_.steps.empty())
      return {"no-records", "it was stopped early: " + why_no_steps()};
    if (intervention.timed_out)
      return {"timeout", fmt::format("not finished within {} ({} read); raise "
                                     "'time_limit' if it needs longer",
                                     duration_text(time_limit), counted(log_.records(), "record"))};
    if (!intervention.asked) {
      if (Failure failure = judge_own_end(outcome)) return failure;
    }
    if (printed_.steps.empty()) return {"no-records", why_no_steps()};
    return {};
  }

  std::optional<std::pair<double, double>> moments(Window window) const override {
    if (!holds_.empty()) return std::nullopt;  // others were at work in between
    const double begin = printed_.arrivals[window.first];
    const double end = printed_.arrivals[window.last];
    if (!std::isfinite(begin) || !std::isfinite(end)) return std::nullopt;
    return std::pair(begin, end);
  }

  void describe(RunRecord& record, const std::vector<RankOutcome>& outcomes) const override {
    if (outcomes.front().peak_bytes > 0) record.peak_host_bytes = outcomes.front().peak_bytes;
    const std::string key = record.cell.key();
    if (log_.figure()) {
      complete_cell(record.cell, *log_.figure(), planned_.said);
      record.unit = unit_of(*log_.figure());
    }
    settle_unknown(record.cell, record.verdicts);
    if (record.cell.key() != key) record.asked = key;
    record.trainer = {{"foreign", true}, {"said", planned_.said}};
    if (!log_.figure()) return;
    record.trainer["log"] = *log_.figure();
    add_foreign_verdicts(record);
    compare_with_clock(record);
  }

  std::string events() const override {
    std::string text;
    for (std::size_t i = 0; i < printed_.steps.size(); ++i) {
      text += step_line(printed_.steps[i], printed_.arrivals[i + 1]);
    }
    return text;
  }

 private:
  Failure judge_own_end(const RankOutcome& outcome) const {
    if (!outcome.signal && outcome.code.value_or(0) == 0) return {};
    const std::string last = printable(log_.last_line());
    if (log_.ran_out_of_memory()) return {"out-of-memory", last};
    if (outcome.signal)
      return {"crash",
              fmt::format("ended by {}; its last line: {}", signal_text(*outcome.signal), last)};
    return {"exit", fmt::format("exit code {}; its last line: {}", *outcome.code, last)};
  }

  std::string why_no_steps() const {
    if (log_.dialect().empty()) return why_nothing_is_read();
    if (log_.records() == 0)
      return fmt::format("{} finds no record in its output ({})", log_.dialect(),
                         counted(log_.lines(), "line"));
    std::string why = fmt::format("no step can be made from {} of {}",
                                  counted(log_.records(), "record"), log_.dialect());
    for (const Verdict& verdict : log_.figure()->verdicts)
      if (verdict.name == verdicts::gpus_unknown || verdict.name == verdicts::nodes_unknown ||
          verdict.name == verdicts::batch_unknown || verdict.name == verdicts::no_figure)
        return why + ": " + verdict.message;
    return why + ": the first includes the start of the program, and more are needed";
  }

  /// With two of its lines, and what would read them.
  std::string why_nothing_is_read() const {
    std::string why = fmt::format("its output shows neither steps nor a speed ({})",
                                  counted(log_.lines(), "line"));
    const std::vector<std::string>& samples = log_.sample_lines();
    if (samples.empty())
      return why + "; if it prints one line per step, name a text of it: --marker TEXT";
    why += samples.size() == 1 ? ". One of its lines: " : ". Two of its lines: ";
    for (std::size_t i = 0; i < samples.size(); ++i)
      why += (i == 0 ? "'" : "' and '") + printable(samples[i], 120);
    const std::string pattern = pattern_for_line(samples.back());
    why += "'. ";
    if (!pattern.empty()) why += fmt::format("To read them: --pattern '{}'. ", pattern);
    return why + fmt::format("To count such lines as steps: --marker '{}'",
                             printable(marker_for_lines(samples), 60));
  }

  /// What the log as a whole tells against itself. What our own measuring has judged already, from
  /// the same records, is not said twice.
  void add_foreign_verdicts(RunRecord& record) const {
    record.verdicts.push_back(
        {verdicts::foreign,
         fmt::format("not one of Trainmark's trainers: measured from the lines that it "
                     "printed (dialect {})",
                     log_.dialect())});
    for (const Verdict& verdict : log_.figure()->verdicts) {
      const bool judged =
          verdict.name == verdicts::no_steady_state || verdict.name == verdicts::loss_nan ||
          verdict.name == verdicts::mean_of_rates_differs ||
          verdict.name == verdicts::too_few_records || verdict.name == verdicts::running_mean;
      if (!judged) record.verdicts.push_back(verdict);
    }
  }

  /// Of one iteration, by batch and ranks; NaN where the batch is unknown.
  double items_of_iteration(const Cell& cell) const {
    if (!log_.figure()->batch) return not_known;
    return static_cast<double>(cell.batch) * cell.accumulate * cell.scale.ranks();
  }

  /// The lines say how fast it was; their arrival times must agree with that.
  void compare_with_clock(RunRecord& record) const {
    const RunSummary& summary = record.summary;
    const Window window{summary.warmup, summary.warmup + summary.used};
    const double items = items_of_iteration(record.cell);
    const auto clock = clock_window(printed_, window, items);
    if (!clock || !(summary.throughput.value > 0)) return;
    record.trainer["clock_throughput"] = clock->throughput();
    const double off = clock->throughput() / summary.throughput.value - 1;
    if (std::abs(off) <= clock_limit + clock_slack / clock->seconds) return;
    std::string counting;
    if (!printed_.counted)
      counting = fmt::format(", at {} {} per {},", figure(items), record.unit,
                             printed_.numbered ? "step" : "record");
    record.verdicts.push_back(
        {verdicts::clock_differs,
         fmt::format("by the arrival times of the lines{} it was {} {}/s, {} % {} than "
                     "printed: {}",
                     counting, figure(clock->throughput()), record.unit,
                     figure(100 * std::abs(off)), off < 0 ? "less" : "more", why_clock(off < 0))});
  }

  std::string why_clock(bool less) const {
    if (!less) return "the printed rates omit part of the work, or lines arrived late";
    std::string why =
        "the program spends untimed work between its records, such as reading, evaluating or "
        "saving";
    if (!printed_.counted) why += ", or batch and ranks differ from the given ones";
    if (!printed_.numbered)
      why += ", or a record covers several steps (let a pattern read the step: (?P<step>…))";
    return why;
  }

  const PlannedCell& planned_;
  LiveLog log_;
  mutable PrintedSteps printed_;
  mutable std::size_t reading_ = 0;  // that printed_ was made by
  mutable double seen_ = 0;          // records that printed_ was made of
  std::vector<double> holds_;        // moments on our clock
};

}  // namespace

std::unique_ptr<StepSource> printed_source(const PlannedCell& planned, const LiveOptions& options) {
  return std::make_unique<PrintedSource>(planned, options);
}

}  // namespace trainmark
