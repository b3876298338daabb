#include "cuda/depthwise/depthwise.h"

#include <ATen/ops/empty.h>
#include <ATen/ops/empty_like.h>
#include <c10/cuda/CUDAStream.h>
#include <torch/csrc/autograd/custom_function.h>

#include "cuda/depthwise/depthwise_kernels.h"
#include "cuda/support/tensors.h"

namespace trainmark::train {
namespace {

DepthwiseProblem depthwise_problem(const at::Tensor& x, std::int64_t dilation) {
  return {.type = element_type(x),
          .images = static_cast<int>(x.size(0)),
          .height = static_cast<int>(x.size(2)),
          .width = static_cast<int>(x.size(3)),
          .channels = static_cast<int>(x.size(1)),
          .dilation = static_cast<int>(dilation),
          .stream = c10::cuda::getCurrentCUDAStream().stream()};
}

class Depthwise : public torch::autograd::Function<Depthwise> {
 public:
  static at::Tensor forward(torch::autograd::AutogradContext* context, const at::Tensor& given_x,
                            const at::Tensor& given_weight, std::int64_t dilation) {
    const at::Tensor x = given_x.contiguous(at::MemoryFormat::ChannelsLast);
    const at::Tensor weight = given_weight.contiguous();
    at::Tensor y = at::empty_like(x);
    depthwise_forward(depthwise_problem(x, dilation), x.const_data_ptr(), weight.const_data_ptr(),
                      y.mutable_data_ptr());
    context->save_for_backward({x, weight});
    context->saved_data["dilation"] = dilation;
    return y;
  }

  static torch::autograd::tensor_list backward(torch::autograd::AutogradContext* context,
                                               const torch::autograd::tensor_list& gradients) {
    const auto saved = context->get_saved_variables();
    const at::Tensor& x = saved[0];
    const at::Tensor& weight = saved[1];
    const at::Tensor dy = gradients[0].contiguous(at::MemoryFormat::ChannelsLast);
    const DepthwiseProblem problem = depthwise_problem(x, context->saved_data["dilation"].toInt());
    at::Tensor dx;
    if (context->needs_input_grad(0)) {
      dx = at::empty_like(x);
      depthwise_backward_input(problem, dy.const_data_ptr(), weight.const_data_ptr(),
                               dx.mutable_data_ptr());
    }
    const at::Tensor workspace =
        at::empty({static_cast<std::int64_t>(depthwise_workspace_floats(problem))},
                  x.options().dtype(at::kFloat));
    at::Tensor dweight = at::empty_like(weight);
    depthwise_backward_weight(problem, x.const_data_ptr(), dy.const_data_ptr(),
                              workspace.mutable_data_ptr<float>(), dweight.mutable_data_ptr());
    return {dx, dweight, at::Tensor()};
  }
};

}  // namespace

at::Tensor depthwise(const at::Tensor& x, const at::Tensor& weight, std::int64_t dilation) {
  return Depthwise::apply(x, weight, dilation);
}

}  // namespace trainmark::train
