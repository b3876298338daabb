#include "distributed/communication_meter.h"

#include <deque>
#include <mutex>
#include <utility>

#include "common/host.h"

namespace trainmark::train {
namespace {

class HostMeter : public CommunicationMeter {
 public:
  void before_collective() override { begin_ns_ = monotonic_ns(); }

  void after_collective(c10d::Work* work) override {
    std::size_t index = 0;
    {
      const std::lock_guard lock(current_->mutex);
      index = current_->spans.size();
      current_->spans.push_back({begin_ns_, under_way});
    }
    work->getFuture()->addCallback([spans = current_, index](c10::ivalue::Future&) {
      const std::lock_guard lock(spans->mutex);
      spans->spans[index].end_ns = monotonic_ns();
    });
  }

  void before_wait() override { waits_.push_back({monotonic_ns(), under_way}); }
  void after_wait() override { waits_.back().end_ns = monotonic_ns(); }

  void end_step() override {
    // Callbacks that are a little late still find the old spans.
    const std::shared_ptr<Spans> ended = std::exchange(current_, std::make_shared<Spans>());
    const std::lock_guard lock(ended->mutex);
    std::vector<Span> spans = ended->spans;
    const std::int64_t now_ns = monotonic_ns();
    for (Span& span : spans)
      if (span.end_ns == under_way) span.end_ns = now_ns;
    ended_.push_back(communication_of(spans, std::exchange(waits_, {})));
  }

  std::optional<Communication> take() override {
    if (ended_.empty()) return std::nullopt;
    const Communication communication = ended_.front();
    ended_.pop_front();
    return communication;
  }

 private:
  static constexpr std::int64_t under_way = 0;  // the clock was there long ago

  struct Spans {
    std::mutex mutex;
    std::vector<Span> spans;
  };

  std::int64_t begin_ns_ = 0;
  std::shared_ptr<Spans> current_ = std::make_shared<Spans>();
  std::vector<Span> waits_;
  std::deque<Communication> ended_;
};

}  // namespace

std::unique_ptr<CommunicationMeter> make_host_meter() {
  return std::make_unique<HostMeter>();
}

}  // namespace trainmark::train
