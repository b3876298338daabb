#include "cuda/device/step_timer.h"

#include <c10/cuda/CUDAException.h>
#include <c10/cuda/CUDAFunctions.h>
#include <c10/cuda/CUDAStream.h>
#include <cuda_runtime_api.h>

#include <algorithm>
#include <array>
#include <cstring>

#include "common/host.h"
#include "common/requests.h"
#include "cuda/support/launch.h"

namespace trainmark::train {
namespace {

// Steps that may wait for the device: enough that it never waits for us, and few enough that a stop
// comes soon.
constexpr std::size_t steps_in_flight = 16;

/// A step ends where the next one begins: between two events lies all that a step took, the time in
/// which the device had nothing to do included.
class EventTimer : public StepTimer {
 public:
  EventTimer() {
    for (cudaEvent_t& event : events_) C10_CUDA_CHECK(cudaEventCreate(&event));
    for (cudaEvent_t& event : batches_) C10_CUDA_CHECK(cudaEventCreate(&event));
    C10_CUDA_CHECK(cudaMallocHost(&results_, sizeof(Result) * slots));
    std::memset(results_, 0, sizeof(Result) * slots);
    begin_anew();
  }

  ~EventTimer() override {
    for (cudaEvent_t event : events_) cudaEventDestroy(event);
    for (cudaEvent_t event : batches_) cudaEventDestroy(event);
    cudaFreeHost(results_);
  }

  void begin() override {}

  void begin_anew() override {
    c10::cuda::device_synchronize();
    const cudaEvent_t before = events_[recorded_ % slots];
    C10_CUDA_CHECK(cudaEventRecord(before, stream()));
    C10_CUDA_CHECK(cudaEventSynchronize(before));
    end_ns_ = monotonic_ns();
  }

  /// Between the end of the step before and this, the device had nothing to do.
  void has_batch() override {
    C10_CUDA_CHECK(cudaEventRecord(batches_[(recorded_ + 1) % slots], stream()));
    has_batches_ = true;
  }

  void end(const at::Tensor& result) override {
    const std::size_t slot = ++recorded_ % slots;
    const at::Tensor values = result.to(at::kFloat).contiguous();
    C10_CUDA_CHECK(cudaMemcpyAsync(&results_[slot], values.const_data_ptr<float>(),
                                   std::min(values.nbytes(), sizeof(Result)),
                                   cudaMemcpyDeviceToHost, stream()));
    C10_CUDA_CHECK(cudaEventRecord(events_[slot], stream()));
    if (recorded_ - taken_ >= steps_in_flight) {
      check_kernels(cudaEventSynchronize(events_[(taken_ + 1) % slots]));
    }
  }

  std::int64_t most_in_flight() const override { return steps_in_flight; }

  std::vector<TimedStep> take(bool wait) override {
    std::vector<TimedStep> steps;
    while (taken_ < recorded_) {
      const std::size_t slot = (taken_ + 1) % slots;
      if (wait) check_kernels(cudaEventSynchronize(events_[slot]));
      check_kernels(cudaGetLastError());
      const cudaError_t state = cudaEventQuery(events_[slot]);
      if (state == cudaErrorNotReady) {
        (void)cudaGetLastError();  // this very answer: no error, and nothing else was left behind
        break;
      }
      check_kernels(state);
      const cudaEvent_t before = events_[taken_ % slots];
      TimedStep step;
      step.duration_ns = nanoseconds_between(before, events_[slot]);
      if (has_batches_) step.data_ns = nanoseconds_between(before, batches_[slot]);
      step.end_ns = end_ns_ += step.duration_ns;
      const Result& result = results_[slot];
      step.loss = result.loss;
      step.stop = is_stop(result.requests);
      step.pause = is_pause(result.requests);
      steps.push_back(step);
      ++taken_;
    }
    return steps;
  }

 private:
  struct Result {
    float loss;
    float requests;
  };

  static constexpr std::size_t slots = 2 * steps_in_flight;

  static std::int64_t nanoseconds_between(cudaEvent_t begin, cudaEvent_t end) {
    float milliseconds = 0;
    C10_CUDA_CHECK(cudaEventElapsedTime(&milliseconds, begin, end));
    return static_cast<std::int64_t>(1e6 * static_cast<double>(milliseconds));
  }

  static cudaStream_t stream() { return c10::cuda::getCurrentCUDAStream().stream(); }

  std::array<cudaEvent_t, slots> events_{};
  std::array<cudaEvent_t, slots> batches_{};  // when each step's was there
  bool has_batches_ = false;
  Result* results_ = nullptr;
  std::size_t recorded_ = 0;  // steps; the event of step n (from 1) is in slot n % slots
  std::size_t taken_ = 0;
  std::int64_t end_ns_ = 0;
};

}  // namespace

std::unique_ptr<StepTimer> make_event_timer() {
  return std::make_unique<EventTimer>();
}

}  // namespace trainmark::train
