#include <algorithm>

#include "bench/last_line.h"
#include "bench/step_source.h"
#include "measure/ranks.h"
#include "protocol/event_reader.h"

namespace trainmark {

namespace {

class EventSource : public StepSource {
 public:
  explicit EventSource(std::size_t ranks) : readers_(ranks), errors_(ranks) {}

  void receive(std::size_t rank, Stream stream, std::string_view bytes) override {
    if (stream == Stream::events) readers_[rank].feed(bytes);
    if (stream == Stream::errors) errors_[rank].feed(bytes);
  }

  void place(const std::vector<RankPlace>& places) override { places_ = places; }

  void finish(bool whole) override {
    if (!whole) return;
    for (auto& reader : readers_) reader.finish();
  }

  std::size_t count() const override {
    std::size_t least = readers_.front().steps().size();
    for (const auto& reader : readers_) least = std::min(least, reader.steps().size());
    return least;
  }

  std::vector<Step> steps() const override {
    return readers_.size() == 1 ? steps_of_rank(0) : job_steps(steps_by_rank());
  }

  const QualityTask* quality_task() const override {
    const auto& task = readers_.front().quality_task();
    return task ? &*task : nullptr;
  }

  std::size_t evaluation_count() const override {
    const QualityTask* task = quality_task();
    const bool resumed = task != nullptr && task->resumed;
    return readers_.front().evaluations().size() +
           (resumed ? task->resumed->evaluations.size() : 0);
  }

  /// All ranks tell the same quality.
  std::vector<Evaluation> evaluations() const override {
    std::vector<Evaluation> evaluations = readers_.front().evaluations();
    for (Evaluation& evaluation : evaluations) evaluation.at += offset_of_rank(0);
    return evaluations;
  }

  std::vector<Checkpoint> checkpoints() const override { return readers_.front().checkpoints(); }

  bool can_pause() const override { return true; }

  std::size_t pauses() const override {
    std::size_t least = readers_.front().pauses();
    for (const auto& reader : readers_) least = std::min(least, reader.pauses());
    return least;
  }

  void note_hold(double) override {
    held_ = true;
    for (auto& reader : readers_) reader.note_hold();
  }

  bool is_broken() const override {
    return std::any_of(readers_.begin(), readers_.end(),
                       [](const auto& reader) { return !reader.fault().empty(); });
  }

  bool has_told_end(std::size_t rank) const override { return readers_[rank].ended(); }

  Failure judge(const std::vector<RankOutcome>& outcomes, const Intervention& intervention,
                double time_limit) const override {
    std::vector<std::string> last_lines;
    for (const LastLine& errors : errors_) last_lines.push_back(errors.text());
    return judge_ending(outcomes, readers_, places_, intervention, time_limit, last_lines);
  }

  std::optional<std::pair<double, double>> moments(Window window) const override {
    // Others were at work in between, or the model was evaluated.
    if (held_ || pauses() > 0 || !readers_.front().evaluations().empty()) return std::nullopt;
    const std::vector<Step> all = steps();
    const Step& first = all[window.first];
    return std::pair(first.end - first.seconds, all[window.last - 1].end);
  }

  void describe(RunRecord& record, const std::vector<RankOutcome>& outcomes) const override {
    record.trainer = readers_.front().start();
    describe_ranks(record);
    double host = 0;
    double device = 0;
    for (std::size_t i = 0; i < readers_.size(); ++i) {
      host = std::max(host, readers_[i].peak_host_bytes().value_or(0));
      host = std::max(host, outcomes[i].peak_bytes);
      device = std::max(device, readers_[i].peak_device_bytes().value_or(0));
    }
    if (host > 0) record.peak_host_bytes = host;
    if (device > 0) record.peak_device_bytes = device;
  }

 private:
  /// In the time of our own clock.
  std::vector<Step> steps_of_rank(std::size_t rank) const {
    std::vector<Step> steps = readers_[rank].steps();
    for (Step& step : steps) step.end += offset_of_rank(rank);
    return steps;
  }

  double offset_of_rank(std::size_t rank) const {
    return rank < places_.size() ? places_[rank].clock_offset : 0;
  }

  std::vector<std::vector<Step>> steps_by_rank() const {
    std::vector<std::vector<Step>> by_rank;
    for (std::size_t rank = 0; rank < readers_.size(); ++rank)
      by_rank.push_back(steps_of_rank(rank));
    return by_rank;
  }

  void describe_ranks(RunRecord& record) const {
    const RunSummary& summary = record.summary;
    if (summary.used == 0) return;
    const auto by_rank = steps_by_rank();
    const std::vector<Step> all = job_steps(by_rank);
    if (summary.warmup + summary.used > all.size()) return;
    const std::int64_t first = all[summary.warmup].index;
    const std::int64_t last = all[summary.warmup + summary.used - 1].index;
    RanksSummary ranks = summarize_ranks(by_rank, first, last);
    for (std::size_t i = 0; i < ranks.ranks.size() && i < places_.size(); ++i) {
      ranks.ranks[i].host = places_[i].host;
      ranks.ranks[i].clock_offset = places_[i].clock_offset;
    }
    for (Verdict& verdict : check_ranks(by_rank, ranks, first, last))
      record.verdicts.push_back(std::move(verdict));
    // One rank that reports no communication is named by the summary already.
    if (by_rank.size() > 1 || ranks.communication || ranks.exposed || ranks.input)
      record.ranks = std::move(ranks);
  }

  std::vector<EventReader> readers_;
  bool held_ = false;
  std::vector<LastLine> errors_;
  std::vector<RankPlace> places_;
};

}  // namespace

std::unique_ptr<StepSource> event_source(std::size_t ranks) {
  return std::make_unique<EventSource>(ranks);
}

}  // namespace trainmark
