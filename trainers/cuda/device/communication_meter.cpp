#include "cuda/device/communication_meter.h"

#include <ATen/cuda/CUDAEvent.h>
#include <c10/cuda/CUDAGraphsC10Utils.h>
#include <c10/cuda/CUDAGuard.h>
#include <c10/cuda/CUDAStream.h>

#include <deque>
#include <utility>

namespace trainmark::train {
namespace {

using Event = std::shared_ptr<at::cuda::CUDAEvent>;

bool is_recording() {
  return c10::cuda::currentStreamCaptureStatusMayInitCtx() != c10::cuda::CaptureStatus::None;
}

/// A collective begins when what it needs is there and the one before it has ended, and NCCL does
/// them in order: so the events before the call and after its end tell all.
class EventMeter : public CommunicationMeter {
 public:
  void before_collective() override {
    if (!is_recording()) now_.collectives.push_back({record_here(), nullptr});
  }

  void after_collective(c10d::Work* work) override {
    if (is_recording()) return;
    Pair& own = now_.collectives.back();
    if (work == nullptr) {
      own.end = record_here();
      now_.waits.push_back(own);
      return;
    }
    // A stream that does nothing else waits for the collective: the step's own must not.
    const c10::cuda::CUDAStreamGuard guard(witness_);
    work->wait();
    own.end = record_here();
  }

  void before_wait() override {
    if (!is_recording()) now_.waits.push_back({record_here(), nullptr});
  }

  void after_wait() override {
    if (!is_recording()) now_.waits.back().end = record_here();
  }

  void end_step() override { ended_.push_back(std::exchange(now_, {})); }

  std::optional<Communication> take() override {
    if (ended_.empty()) return std::nullopt;
    const Step step = std::move(ended_.front());
    ended_.pop_front();
    if (step.collectives.empty()) return std::nullopt;
    at::cuda::CUDAEvent& first = *step.collectives.front().begin;
    const Communication communication =
        communication_of(spans_of(step.collectives, first), spans_of(step.waits, first));
    for (const auto* pairs : {&step.collectives, &step.waits})
      for (const Pair& pair : *pairs) free_.insert(free_.end(), {pair.begin, pair.end});
    return communication;
  }

 private:
  struct Pair {
    Event begin, end;
  };
  struct Step {
    std::vector<Pair> collectives, waits;
  };

  Event record_here() {
    Event event;
    // One that two pairs hold is free when both were read.
    while (!event && !free_.empty()) {
      if (free_.back().use_count() == 1) event = std::move(free_.back());
      free_.pop_back();
    }
    if (!event) event = std::make_shared<at::cuda::CUDAEvent>(cudaEventDefault);  // with its time
    event->record(c10::cuda::getCurrentCUDAStream());
    return event;
  }

  static std::vector<Span> spans_of(const std::vector<Pair>& pairs, at::cuda::CUDAEvent& first) {
    std::vector<Span> spans;
    for (const Pair& pair : pairs) {
      pair.end->synchronize();  // it has passed: the step has ended
      spans.push_back({since(first, *pair.begin), since(first, *pair.end)});
    }
    return spans;
  }

  static std::int64_t since(at::cuda::CUDAEvent& first, at::cuda::CUDAEvent& event) {
    return static_cast<std::int64_t>(1e6 * static_cast<double>(first.elapsed_time(event)));
  }

  c10::cuda::CUDAStream witness_ = c10::cuda::getStreamFromPool(/*isHighPriority=*/true);
  Step now_;
  std::deque<Step> ended_;
  std::vector<Event> free_;
};

}  // namespace

std::unique_ptr<CommunicationMeter> make_event_meter() {
  return std::make_unique<EventMeter>();
}

}  // namespace trainmark::train
