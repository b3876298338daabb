#include "engine/steps.h"

#include <algorithm>
#include <deque>

#include "common/host.h"
#include "common/requests.h"
#include "engine/step_timer.h"

namespace trainmark::train {
namespace {

class Steps {
 public:
  explicit Steps(const StepLoop& loop)
      : loop_(loop),
        timer_(loop.accelerator != nullptr ? loop.accelerator->make_step_timer()
                                           : make_host_timer()),
        meter_(loop.world.meter()),
        last_(loop.most) {
    forget_collectives();
  }

  StepsDone run() {
    const bool together = loop_.world.has_group();
    for (std::int64_t step = 0; step < last_; ++step) {
      do_one();
      tell(/*wait=*/false);
      if (loop_.is_due && loop_.is_due(step + 1)) interrupt();
      if (!together && stop_requested()) {
        done_.stopped = true;
        break;
      }
      if (together ? step + 1 == pause_after_ : pause_requested()) pause();
    }
    tell(/*wait=*/true);
    return std::move(done_);
  }

 private:
  void do_one() {
    timer_->begin();
    if (loop_.feed != nullptr) {
      loop_.feed->wait();
      timer_->has_batch();
      loop_.feed->fill();
    }
    timer_->end(loop_.step());
    items_.push_back(loop_.feed != nullptr ? loop_.feed->items() : loop_.items);
    if (meter_ != nullptr) meter_->end_step();
    if (loop_.after_step) loop_.after_step();
  }

  void tell(bool wait) {
    for (const TimedStep& step : timer_->take(wait)) {
      const std::int64_t index = done_.count++;
      StepEvent event{.index = index,
                      .end_ns = step.end_ns,
                      .duration_ns = step.duration_ns,
                      .items = items_.front(),
                      .loss = loop_.has_loss ? std::optional(step.loss) : std::nullopt,
                      .data_ns = step.data_ns};
      items_.pop_front();
      if (const auto communication = meter_ != nullptr ? meter_->take() : std::nullopt) {
        event.communication_ns = communication->under_way_ns;
        event.exposed_ns = communication->exposed_ns;
      }
      loop_.events.step(event);
      if (loop_.has_loss) done_.losses.push_back(step.loss);
      // No rank knows of it before the first of these steps, and all before the last of them.
      const std::int64_t known_by_all = index + 1 + timer_->most_in_flight();
      if (step.stop && !done_.stopped) last_ = std::min(last_, known_by_all);
      done_.stopped = done_.stopped || step.stop;
      if (step.pause && pause_after_ <= index) pause_after_ = known_by_all;
    }
  }

  /// Those that belong to no step.
  void forget_collectives() {
    if (meter_ == nullptr) return;
    meter_->end_step();
    if (loop_.accelerator != nullptr) loop_.accelerator->synchronize();
    meter_->take();
  }

  /// Who was asked to stop does not evaluate any more; of several ranks, all know it here or none.
  void interrupt() {
    tell(/*wait=*/true);
    if (done_.stopped || (!loop_.world.has_group() && stop_requested())) return;
    loop_.interlude();
    forget_collectives();
    timer_->begin_anew();
  }

  void pause() {
    tell(/*wait=*/true);
    loop_.events.pause();
    const std::int64_t begin_ns = monotonic_ns();
    wait_out_pause(loop_.events.descriptor());
    if (loop_.after_pause) loop_.after_pause(monotonic_ns() - begin_ns);
  }

  const StepLoop& loop_;
  std::unique_ptr<StepTimer> timer_;
  CommunicationMeter* meter_;
  std::int64_t last_;               // steps to do
  std::int64_t pause_after_ = -1;   // that many steps, as the ranks have agreed
  std::deque<std::int64_t> items_;  // of the steps that nobody has been told of yet
  StepsDone done_;
};

}  // namespace

StepsDone do_steps(const StepLoop& loop) {
  return Steps(loop).run();
}

void do_silent_step(const StepLoop& loop) {
  if (loop.feed != nullptr) {
    loop.feed->wait();
    loop.feed->fill();
  }
  loop.step();
}

}  // namespace trainmark::train
