#include "cuda/max_pool/max_pool.h"

#include <ATen/ops/empty.h>
#include <c10/cuda/CUDAStream.h>
#include <torch/csrc/autograd/custom_function.h>

#include "cuda/max_pool/max_pool_kernels.h"
#include "cuda/support/tensors.h"

namespace trainmark::train {
namespace {

MaxPoolProblem max_pool_problem(const at::Tensor& tensor, at::IntArrayRef input_size) {
  return {.type = element_type(tensor),
          .images = static_cast<int>(input_size[0]),
          .height = static_cast<int>(input_size[2]),
          .width = static_cast<int>(input_size[3]),
          .channels = static_cast<int>(input_size[1]),
          .stream = c10::cuda::getCurrentCUDAStream().stream()};
}

class MaxPool : public torch::autograd::Function<MaxPool> {
 public:
  static at::Tensor forward(torch::autograd::AutogradContext* context, const at::Tensor& given) {
    const at::Tensor x = given.contiguous(at::MemoryFormat::ChannelsLast);
    const std::vector<std::int64_t> size = {x.size(0), x.size(1), max_pool_size(x.size(2)),
                                            max_pool_size(x.size(3))};
    at::Tensor y = at::empty(size, x.options(), at::MemoryFormat::ChannelsLast);
    // It stands for the input, of which it has an eighth of the bytes in half precision.
    const at::Tensor chosen =
        at::empty(size, x.options().dtype(at::kByte), at::MemoryFormat::ChannelsLast);
    max_pool_forward(max_pool_problem(x, x.sizes()), x.const_data_ptr(), y.mutable_data_ptr(),
                     chosen.mutable_data_ptr<std::uint8_t>());
    context->save_for_backward({chosen});
    context->saved_data["size"] = x.sizes();
    return y;
  }

  static torch::autograd::tensor_list backward(torch::autograd::AutogradContext* context,
                                               const torch::autograd::tensor_list& gradients) {
    const std::vector<std::int64_t> size = context->saved_data["size"].toIntVector();
    const at::Tensor chosen = context->get_saved_variables()[0];
    const at::Tensor dy = gradients[0].contiguous(at::MemoryFormat::ChannelsLast);
    at::Tensor dx = at::empty(size, dy.options(), at::MemoryFormat::ChannelsLast);
    max_pool_backward(max_pool_problem(dy, size), dy.const_data_ptr(),
                      chosen.const_data_ptr<std::uint8_t>(), dx.mutable_data_ptr());
    return {dx};
  }
};

}  // namespace

at::Tensor max_pool(const at::Tensor& x) {
  return MaxPool::apply(x);
}

}  // namespace trainmark::train
