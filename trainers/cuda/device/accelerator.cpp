// The part of the trainers that is linked against CUDA. See engine/accelerator.h.

#include "engine/accelerator.h"

#include <ATen/cuda/CUDAGraph.h>
#include <c10/cuda/CUDACachingAllocator.h>
#include <c10/cuda/CUDAException.h>
#include <c10/cuda/CUDAFunctions.h>
#include <c10/cuda/CUDAStream.h>

#include "cuda/add_norm/add_norm.h"
#include "cuda/attention/attention.h"
#include "cuda/batch_norm/batch_norm.h"
#include "cuda/batch_norm/two_norms.h"
#include "cuda/convolution/convolution.h"
#include "cuda/cross_entropy/cross_entropy.h"
#include "cuda/depthwise/depthwise.h"
#include "cuda/device/communication_meter.h"
#include "cuda/device/nccl.h"
#include "cuda/device/step_timer.h"
#include "cuda/fold/fold.h"
#include "cuda/input/nvjpeg.h"
#include "cuda/linear/linear.h"
#include "cuda/margin_softmax/margin_softmax.h"
#include "cuda/max_pool/max_pool.h"
#include "cuda/optimizer/optimizer.h"
#include "cuda/reflect/reflect.h"
#include "cuda/squeeze/norm_squeeze.h"
#include "cuda/squeeze/squeeze.h"
#include "cuda/streams/side_by_side.h"
#include "cuda/stretch/stretch.h"
#include "cuda/support/weight_gradient.h"

namespace trainmark::train {
namespace {

class GraphStep : public RecordedStep {
 public:
  explicit GraphStep(const std::function<at::Tensor()>& step) {
    graph_.capture_begin({0, 0}, cudaStreamCaptureModeThreadLocal);
    loss_ = step();
    graph_.capture_end();
  }

  at::Tensor replay() override {
    graph_.replay();
    return loss_;
  }

 private:
  at::cuda::CUDAGraph graph_;
  at::Tensor loss_;
};

class Cuda : public Accelerator {
 public:
  explicit Cuda(int device) {
    c10::cuda::set_device(static_cast<c10::DeviceIndex>(device));
    // A graph cannot be recorded on the default stream, and a step must stay on one stream.
    c10::cuda::setCurrentCUDAStream(c10::cuda::getStreamFromPool());
  }

  std::string device_name() override {
    cudaDeviceProp properties{};
    C10_CUDA_CHECK(cudaGetDeviceProperties(&properties, c10::cuda::current_device()));
    return properties.name;
  }

  double peak_bytes() override {
    const auto stats = c10::cuda::CUDACachingAllocator::getDeviceStats(c10::cuda::current_device());
    return static_cast<double>(stats.allocated_bytes[0].peak);  // 0: of all pools
  }

  void forget_peak() override {
    c10::cuda::CUDACachingAllocator::resetPeakStats(c10::cuda::current_device());
  }

  void synchronize() override { c10::cuda::device_synchronize(); }

  std::unique_ptr<StepTimer> make_step_timer() override { return make_event_timer(); }

  std::unique_ptr<RecordedStep> record(const std::function<at::Tensor()>& step) override {
    synchronize();
    // A graph has memory of its own: what the steps before it left would stay unused.
    c10::cuda::CUDACachingAllocator::emptyCache();
    return std::make_unique<GraphStep>(step);
  }

  void begin_backward() override { begin_weight_gradients(); }
  void end_backward() override { end_weight_gradients(); }

  std::unique_ptr<Optimizer> make_optimizer(const OptimizerSettings& settings,
                                            std::vector<at::Tensor> parameters,
                                            Decay decay) override {
    return make_cuda_optimizer(settings, parameters, decay);
  }

  c10::intrusive_ptr<c10d::Backend> make_process_group(const c10::intrusive_ptr<c10d::Store>& store,
                                                       int rank, int ranks,
                                                       std::chrono::seconds timeout) override {
    return make_nccl(store, rank, ranks, timeout);
  }

  std::unique_ptr<CommunicationMeter> make_communication_meter() override {
    return make_event_meter();
  }

  std::unique_ptr<PictureDecoder> make_picture_decoder(std::string& why_not) override {
    return make_nvjpeg(why_not);
  }

  const Kernels& kernels() override { return kernels_; }

 private:
  Kernels kernels_{.convolution = convolution,
                   .fold = fold_pixels,
                   .norm_relu_convolution = norm_relu_convolution,
                   .batch_norm = batch_norm,
                   .batch_norm_fork = batch_norm_fork,
                   .batch_norm_around = batch_norm_around,
                   .two_norms_add_relu = two_norms_add_relu,
                   .add_norm = add_norm,
                   .attention = attention,
                   .squeeze_add_relu = squeeze_add_relu,
                   .norm_squeeze_add_relu = norm_squeeze_add_relu,
                   .reflect = reflect,
                   .depthwise = depthwise,
                   .max_pool = max_pool,
                   .stretch = stretch,
                   .linear = linear,
                   .linear_activation = linear_activation,
                   .cross_entropy = cross_entropy,
                   .margin_softmax = margin_softmax,
                   .side_by_side = side_by_side};
};

}  // namespace
}  // namespace trainmark::train

extern "C" __attribute__((visibility("default"))) trainmark::train::Accelerator*
trainmark_accelerator(int device) {
  static auto* const cuda = new trainmark::train::Cuda(device);  // lives for ever
  return cuda;
}
