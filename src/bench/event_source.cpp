#include <algorithm>

#include "bench/step_source.h"
#include "launch/event_reader.h"
#include "measure/ranks.h"

namespace trainmark {

namespace {

class EventSource : public StepSource {
 public:
  explicit EventSource(std::size_t ranks) : readers_(ranks) {}

  void receive(std::size_t rank, Stream stream, std::string_view bytes) override {
    if (stream == Stream::events) readers_[rank].feed(bytes);
  }

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
    if (readers_.size() == 1) return readers_.front().steps();
    std::vector<std::vector<Step>> by_rank;
    for (const auto& reader : readers_) by_rank.push_back(reader.steps());
    return job_steps(by_rank);
  }

  bool is_broken() const override {
    return std::any_of(readers_.begin(), readers_.end(),
                       [](const auto& reader) { return !reader.fault().empty(); });
  }

  Failure judge(const std::vector<RankOutcome>& outcomes, const Intervention& intervention,
                double time_limit) const override {
    return judge_ending(outcomes, readers_, intervention, time_limit);
  }

  std::optional<std::pair<double, double>> moments(Window window) const override {
    const std::vector<Step> all = steps();
    const Step& first = all[window.first];
    return std::pair(first.end - first.seconds, all[window.last - 1].end);
  }

  void describe(RunRecord& record, const std::vector<RankOutcome>& outcomes) const override {
    record.trainer = readers_.front().start();
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
  std::vector<EventReader> readers_;
};

}  // namespace

std::unique_ptr<StepSource> event_source(std::size_t ranks) {
  return std::make_unique<EventSource>(ranks);
}

}  // namespace trainmark
