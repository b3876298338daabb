#include "engine/step_timer.h"

#include "common/host.h"
#include "common/requests.h"

namespace trainmark::train {
namespace {

/// The CPU has done its work when a call returns.
class HostTimer : public StepTimer {
 public:
  void begin() override { begin_ns_ = monotonic_ns(); }

  void has_batch() override { data_ns_ = monotonic_ns() - begin_ns_; }

  void end(const at::Tensor& result) override {
    const std::int64_t end_ns = monotonic_ns();
    const at::Tensor values = result.to(at::kFloat).reshape(-1);
    const float requests = values.numel() > 1 ? values[1].item<float>() : 0;
    ended_.push_back({.end_ns = end_ns,
                      .duration_ns = end_ns - begin_ns_,
                      .loss = values[0].item<float>(),
                      .data_ns = data_ns_,
                      .stop = is_stop(requests),
                      .pause = is_pause(requests)});
  }

  void begin_anew() override {}

  std::int64_t most_in_flight() const override { return 0; }

  std::vector<TimedStep> take(bool /*wait*/) override { return std::exchange(ended_, {}); }

 private:
  std::int64_t begin_ns_ = 0;
  std::optional<std::int64_t> data_ns_;
  std::vector<TimedStep> ended_;
};

}  // namespace

std::unique_ptr<StepTimer> make_host_timer() {
  return std::make_unique<HostTimer>();
}

}  // namespace trainmark::train
