#include "cuda/convolution/graphs.h"

#ifndef TRAINMARK_HAS_CUDNN

// Built without cuDNN's headers: there is no kernel for anything.

namespace trainmark::train {

bool can_convolve_with_sums(const ConvolutionProblem&) {
  return false;
}

bool can_sum_norm_gradient(const ConvolutionProblem&) {
  return false;
}

Summed convolve_with_sums(const ConvolutionProblem&, const at::Tensor&, const at::Tensor&) {
  TORCH_INTERNAL_ASSERT(false, "nobody may ask for it");
}

Summed norm_gradient_with_sums(const ConvolutionProblem&, const at::Tensor&, const at::Tensor&,
                               const NormBefore&) {
  TORCH_INTERNAL_ASSERT(false, "nobody may ask for it");
}

}  // namespace trainmark::train

#else

#include <ATen/cudnn/Handle.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/empty_like.h>
#include <c10/cuda/CUDAException.h>
#include <c10/cuda/CUDAStream.h>
#include <cudnn_frontend.h>
#include <dlfcn.h>

#include <limits>
#include <map>
#include <mutex>
#include <vector>

// cuDNN is LibTorch's: it has been loaded, and its functions are looked up there.
void* cudnn_frontend::cudnn_dlhandle = dlopen("libcudnn.so.9", RTLD_NOW | RTLD_NOLOAD);

namespace trainmark::train {
namespace {

namespace fe = cudnn_frontend;
namespace graph = cudnn_frontend::graph;
using Node = std::shared_ptr<graph::Tensor_attributes>;

constexpr int most_plans = 8;  // that are measured, the ones that cuDNN expects to be fastest
constexpr int calls_per_measurement = 3;
constexpr std::int64_t largest_workspace = std::int64_t{1} << 30;  // bytes

enum class Kind { convolve_with_sums, norm_gradient_with_sums };

/// The tensors of all graphs here, by the numbers under which cuDNN knows them.
enum Slot : std::int64_t {
  slot_x = 1,
  slot_weight,
  slot_y,
  slot_sum,
  slot_second_sum,
  slot_c,
  slot_mean,
  slot_inverse,
  slot_norm_weight,
  slot_norm_bias,
  slot_unused,  // and the two behind it: what cuDNN computes besides
};

using Pointers = std::unordered_map<std::int64_t, void*>;

fe::DataType_t data_type(at::ScalarType type) {
  if (type == at::kHalf) return fe::DataType_t::HALF;
  return type == at::kBFloat16 ? fe::DataType_t::BFLOAT16 : fe::DataType_t::FLOAT;
}

/// One fused kernel for one set of shapes.
class Plan {
 public:
  /// False where cuDNN has none.
  bool build(const std::shared_ptr<graph::Graph>& wanted) {
    graph_ = wanted;
    cudnnHandle_t handle = at::native::getCudnnHandle();
    if (graph_->validate().is_bad() || graph_->build_operation_graph(handle).is_bad() ||
        graph_->create_execution_plans({fe::HeurMode_t::A, fe::HeurMode_t::B}).is_bad()) {
      return false;
    }
    graph_->deselect_numeric_notes({fe::NumericalNote_t::NONDETERMINISTIC});
    graph_->deselect_workspace_greater_than(largest_workspace);
    if (graph_->check_support().is_bad()) return false;
    for (std::int64_t i = 0; i < graph_->get_execution_plan_count(); ++i) {
      if (std::ssize(candidates_) == most_plans) break;
      std::int64_t bytes = 0;
      if (graph_->build_plan_at_index(handle, i).is_bad() ||
          graph_->get_workspace_size_plan_at_index(i, bytes).is_bad()) {
        continue;
      }
      candidates_.push_back({.index = i, .workspace_bytes = bytes});
    }
    return !candidates_.empty();
  }

  void run(Pointers& pointers) {
    if (candidates_.size() > 1 && !is_recording()) candidates_ = {fastest(pointers)};
    execute(candidates_.front(), pointers);
  }

 private:
  struct Candidate {
    std::int64_t index = 0;
    std::int64_t workspace_bytes = 0;
  };

  static bool is_recording() {
    cudaStreamCaptureStatus status = cudaStreamCaptureStatusNone;
    C10_CUDA_CHECK(cudaStreamIsCapturing(c10::cuda::getCurrentCUDAStream(), &status));
    return status != cudaStreamCaptureStatusNone;
  }

  void execute(const Candidate& candidate, Pointers& pointers) {
    const at::Tensor workspace =
        at::empty({candidate.workspace_bytes}, at::TensorOptions(at::kCUDA).dtype(at::kByte));
    auto status = graph_->execute_plan_at_index(at::native::getCudnnHandle(), pointers,
                                                workspace.mutable_data_ptr(), candidate.index);
    TORCH_CHECK(status.is_good(), "a fused convolution of cuDNN's failed: ", status.get_message());
  }

  Candidate fastest(Pointers& pointers) {
    Candidate best = candidates_.front();
    float best_time = std::numeric_limits<float>::infinity();
    for (const Candidate& candidate : candidates_) {
      const float time = time_of(candidate, pointers);
      if (time < best_time) {
        best = candidate;
        best_time = time;
      }
    }
    return best;
  }

  float time_of(const Candidate& candidate, Pointers& pointers) {
    const cudaStream_t stream = c10::cuda::getCurrentCUDAStream();
    cudaEvent_t begin = nullptr;
    cudaEvent_t end = nullptr;
    C10_CUDA_CHECK(cudaEventCreate(&begin));
    C10_CUDA_CHECK(cudaEventCreate(&end));
    execute(candidate, pointers);  // the first call loads the kernel
    C10_CUDA_CHECK(cudaEventRecord(begin, stream));
    for (int i = 0; i < calls_per_measurement; ++i) execute(candidate, pointers);
    C10_CUDA_CHECK(cudaEventRecord(end, stream));
    C10_CUDA_CHECK(cudaEventSynchronize(end));
    float milliseconds = 0;
    C10_CUDA_CHECK(cudaEventElapsedTime(&milliseconds, begin, end));
    C10_CUDA_CHECK(cudaEventDestroy(begin));
    C10_CUDA_CHECK(cudaEventDestroy(end));
    return milliseconds;
  }

  std::shared_ptr<graph::Graph> graph_;
  std::vector<Candidate> candidates_;
};

/// Makes graphs of one problem.
class Builder {
 public:
  explicit Builder(const ConvolutionProblem& problem)
      : problem_(problem), graph_(std::make_shared<graph::Graph>()) {
    graph_->set_io_data_type(data_type(problem.type))
        .set_intermediate_data_type(fe::DataType_t::FLOAT)
        .set_compute_data_type(fe::DataType_t::FLOAT);
  }

  std::shared_ptr<graph::Graph> convolve_with_sums() {
    const Node x = image(slot_x, problem_.x);
    const Node weight = image(slot_weight, problem_.weight);
    const Node y = graph_->conv_fprop(x, weight, shaped(graph::Conv_fprop_attributes()));
    give(y, slot_y, problem_.y(), data_type(problem_.type));
    const auto [sum, squares] = graph_->genstats(y, graph::Genstats_attributes());
    give_channels(sum, slot_sum, problem_.weight[0]);
    give_channels(squares, slot_second_sum, problem_.weight[0]);
    return graph_;
  }

  std::shared_ptr<graph::Graph> norm_gradient_with_sums() {
    const Node dy = image(slot_y, problem_.y());
    const Node weight = image(slot_weight, problem_.weight);
    const Node dx = graph_->conv_dgrad(dy, weight, shaped(graph::Conv_dgrad_attributes()));
    dx->set_dim(vector(problem_.x));
    const Node c = image(slot_c, problem_.x);
    const Node mean = channels(slot_mean);
    const Node inverse = channels(slot_inverse);
    const Node norm_weight = channels(slot_norm_weight);
    const Node norm_bias = channels(slot_norm_bias);
    const Node normal =
        point(fe::PointwiseMode_t::MUL, point(fe::PointwiseMode_t::SUB, c, mean), inverse);
    const Node normed = point(fe::PointwiseMode_t::ADD,
                              point(fe::PointwiseMode_t::MUL, normal, norm_weight), norm_bias);
    const Node gradient = point(fe::PointwiseMode_t::RELU_BWD, dx, normed);
    give(gradient, slot_x, problem_.x, data_type(problem_.type));
    const auto outputs =
        graph_->dbn_weight(gradient, c, mean, inverse, norm_weight, graph::DBN_weight_attributes());
    give_channels(outputs[0], slot_second_sum, problem_.x[1]);
    give_channels(outputs[1], slot_sum, problem_.x[1]);
    for (std::size_t i = 2; i < outputs.size(); ++i) {
      give_channels(outputs[i], slot_unused + static_cast<std::int64_t>(i) - 2, problem_.x[1]);
    }
    return graph_;
  }

 private:
  using Shape = std::array<std::int64_t, 4>;

  static std::vector<std::int64_t> vector(const Shape& shape) {
    return {shape.begin(), shape.end()};
  }

  static std::vector<std::int64_t> channels_last(const Shape& shape) {
    return {shape[1] * shape[2] * shape[3], 1, shape[1] * shape[3], shape[1]};
  }

  Node image(Slot slot, const Shape& shape) {
    return graph_->tensor(graph::Tensor_attributes()
                              .set_uid(slot)
                              .set_dim(vector(shape))
                              .set_stride(channels_last(shape))
                              .set_data_type(data_type(problem_.type)));
  }

  /// A number for each channel of x.
  Node channels(Slot slot) {
    const Shape shape = {1, problem_.x[1], 1, 1};
    return graph_->tensor(graph::Tensor_attributes()
                              .set_uid(slot)
                              .set_dim(vector(shape))
                              .set_stride(channels_last(shape))
                              .set_data_type(fe::DataType_t::FLOAT));
  }

  Node point(fe::PointwiseMode_t mode, const Node& a, const Node& b) {
    return graph_->pointwise(a, b, graph::Pointwise_attributes().set_mode(mode));
  }

  template <class Attributes>
  Attributes shaped(Attributes attributes) const {
    return attributes.set_padding({problem_.padding, problem_.padding})
        .set_stride({problem_.stride, problem_.stride})
        .set_dilation({problem_.dilation, problem_.dilation});
  }

  static void give(const Node& node, std::int64_t slot, const Shape& shape, fe::DataType_t type) {
    node->set_output(true)
        .set_uid(slot)
        .set_dim(vector(shape))
        .set_stride(channels_last(shape))
        .set_data_type(type);
  }

  static void give_channels(const Node& node, std::int64_t slot, std::int64_t count) {
    give(node, slot, {1, count, 1, 1}, fe::DataType_t::FLOAT);
  }

  ConvolutionProblem problem_;
  std::shared_ptr<graph::Graph> graph_;
};

/// The plan for a problem; null where there is none. Found once.
Plan* plan_for(Kind kind, const ConvolutionProblem& problem) {
  static std::mutex mutex;
  static std::map<std::pair<Kind, ConvolutionProblem>, std::unique_ptr<Plan> > plans;
  const std::lock_guard lock(mutex);
  const auto [place, is_new] = plans.try_emplace({kind, problem});
  if (is_new && fe::cudnn_dlhandle != nullptr) {
    Builder builder(problem);
    auto plan = std::make_unique<Plan>();
    const bool built =
        plan->build(kind == Kind::convolve_with_sums ? builder.convolve_with_sums()
                                                     : builder.norm_gradient_with_sums());
    if (built) place->second = std::move(plan);
  }
  return place->second.get();
}

/// cuDNN's interface knows no const.
void* input(const at::Tensor& tensor) {
  return const_cast<void*>(tensor.const_data_ptr());
}

}  // namespace

std::array<std::int64_t, 4> ConvolutionProblem::y() const {
  const auto side = [&](std::int64_t in, std::int64_t kernel) {
    return (in + 2 * padding - dilation * (kernel - 1) - 1) / stride + 1;
  };
  return {x[0], weight[0], side(x[2], weight[2]), side(x[3], weight[3])};
}

bool can_convolve_with_sums(const ConvolutionProblem& problem) {
  return plan_for(Kind::convolve_with_sums, problem) != nullptr;
}

bool can_sum_norm_gradient(const ConvolutionProblem& problem) {
  return plan_for(Kind::norm_gradient_with_sums, problem) != nullptr;
}

Summed convolve_with_sums(const ConvolutionProblem& problem, const at::Tensor& x,
                          const at::Tensor& weight) {
  Plan* const plan = plan_for(Kind::convolve_with_sums, problem);
  TORCH_INTERNAL_ASSERT(plan != nullptr);
  const auto shape = problem.y();
  Summed y(at::empty(shape, x.options(), at::MemoryFormat::ChannelsLast),
           at::empty({2, shape[1]}, x.options().dtype(at::kFloat)));
  float* const sums = y.sums.mutable_data_ptr<float>();
  Pointers pointers = {{slot_x, input(x)},
                       {slot_weight, input(weight)},
                       {slot_y, y.values.mutable_data_ptr()},
                       {slot_sum, sums},
                       {slot_second_sum, sums + shape[1]}};
  plan->run(pointers);
  return y;
}

Summed norm_gradient_with_sums(const ConvolutionProblem& problem, const at::Tensor& dy,
                               const at::Tensor& weight, const NormBefore& norm) {
  Plan* const plan = plan_for(Kind::norm_gradient_with_sums, problem);
  TORCH_INTERNAL_ASSERT(plan != nullptr);
  const std::int64_t channels = problem.x[1];
  Summed gradient(at::empty_like(norm.c), at::empty({2, channels}, norm.moments.options()));
  const at::Tensor unused = at::empty({3, channels}, norm.moments.options());
  float* const sums = gradient.sums.mutable_data_ptr<float>();
  float* const rest = unused.mutable_data_ptr<float>();
  Pointers pointers = {{slot_y, input(dy)},
                       {slot_weight, input(weight)},
                       {slot_c, input(norm.c)},
                       {slot_mean, input(norm.moments[0])},
                       {slot_inverse, input(norm.moments[1])},
                       {slot_norm_weight, input(norm.weight)},
                       {slot_norm_bias, input(norm.bias)},
                       {slot_x, gradient.values.mutable_data_ptr()},
                       {slot_sum, sums},
                       {slot_second_sum, sums + channels},
                       {slot_unused, rest},
                       {slot_unused + 1, rest + channels},
                       {slot_unused + 2, rest + 2 * channels}};
  plan->run(pointers);
  return gradient;
}

}  // namespace trainmark::train

#endif
