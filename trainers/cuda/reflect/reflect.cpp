#include "cuda/reflect/reflect.h"

#include <ATen/ops/empty.h>
#include <c10/cuda/CUDAStream.h>
#include <torch/csrc/autograd/custom_function.h>

#include "cuda/reflect/reflect_kernels.h"
#include "cuda/support/tensors.h"

namespace trainmark::train {
namespace {

using torch::autograd::AutogradContext;
using torch::autograd::tensor_list;
using torch::autograd::Variable;

constexpr auto image_order = at::MemoryFormat::ChannelsLast;

ReflectProblem reflect_problem(const at::Tensor& tensor, std::int64_t height, std::int64_t width,
                               std::int64_t border) {
  return {.type = element_type(tensor),
          .images = tensor.size(0),
          .height = static_cast<int>(height),
          .width = static_cast<int>(width),
          .channels = static_cast<int>(tensor.size(1)),
          .border = static_cast<int>(border),
          .stream = c10::cuda::getCurrentCUDAStream().stream()};
}

class Reflect : public torch::autograd::Function<Reflect> {
 public:
  static tensor_list forward(AutogradContext* context, const Variable& given, std::int64_t border) {
    const at::Tensor x = given.contiguous(image_order);
    at::Tensor y = at::empty({x.size(0), x.size(1), x.size(2) + 2 * border, x.size(3) + 2 * border},
                             x.options(), image_order);
    reflect_forward(reflect_problem(x, x.size(2), x.size(3), border), x.const_data_ptr(),
                    y.mutable_data_ptr());
    context->saved_data["border"] = border;
    context->set_materialize_grads(false);
    return {y, x.variable_data()};
  }

  static tensor_list backward(AutogradContext* context, const tensor_list& gradients) {
    if (!gradients[0].defined()) return {gradients[1], at::Tensor()};
    const std::int64_t border = context->saved_data["border"].toInt();
    const at::Tensor dy = gradients[0].contiguous(image_order);
    const at::Tensor more = gradients[1].defined()
                                ? gradients[1].to(dy.scalar_type()).contiguous(image_order)
                                : at::Tensor();
    const std::int64_t height = dy.size(2) - 2 * border;
    const std::int64_t width = dy.size(3) - 2 * border;
    at::Tensor dx = at::empty({dy.size(0), dy.size(1), height, width}, dy.options(), image_order);
    reflect_backward(reflect_problem(dy, height, width, border), dy.const_data_ptr(),
                     more.defined() ? more.const_data_ptr() : nullptr, dx.mutable_data_ptr());
    return {dx, at::Tensor()};
  }
};

}  // namespace

Fork reflect(const at::Tensor& x, std::int64_t border) {
  const tensor_list outputs = Reflect::apply(x, border);
  return {.branch = outputs[0], .shortcut = outputs[1]};
}

}  // namespace trainmark::train
