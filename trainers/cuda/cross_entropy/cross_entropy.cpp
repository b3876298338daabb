#include "cuda/cross_entropy/cross_entropy.h"

#include <ATen/ops/empty.h>
#include <ATen/ops/empty_like.h>
#include <c10/cuda/CUDAStream.h>
#include <torch/csrc/autograd/custom_function.h>

#include "cuda/cross_entropy/cross_entropy_kernels.h"
#include "cuda/support/tensors.h"

namespace trainmark::train {
namespace {

using torch::autograd::AutogradContext;
using torch::autograd::tensor_list;
using torch::autograd::Variable;

CrossEntropyProblem cross_entropy_problem(const at::Tensor& logits, std::int64_t classes,
                                          double smoothing, std::int64_t ignored) {
  const bool planes = logits.dim() == 4;
  const std::int64_t pixels = planes ? logits.size(2) * logits.size(3) : 0;
  return {.type = element_type(logits),
          .rows = planes ? logits.size(0) * pixels : logits.size(0),
          .classes = static_cast<int>(classes),
          .width = static_cast<int>(logits.size(1)),
          .pixels = pixels,
          .smoothing = static_cast<float>(smoothing),
          .ignored = ignored,
          .stream = c10::cuda::getCurrentCUDAStream().stream()};
}

class MeanCrossEntropy : public torch::autograd::Function<MeanCrossEntropy> {
 public:
  static Variable forward(AutogradContext* context, const Variable& given, const Variable& labels,
                          std::int64_t classes, double smoothing, std::int64_t ignored) {
    const at::Tensor logits = given.contiguous();
    TORCH_CHECK(labels.is_contiguous(), "labels of a cross-entropy must lie one behind the other");
    const CrossEntropyProblem problem = cross_entropy_problem(logits, classes, smoothing, ignored);
    const auto floats = logits.options().dtype(at::kFloat);
    const at::Tensor losses = at::empty({cross_entropy_parts(problem)}, floats);
    const at::Tensor counts = at::empty_like(losses);
    at::Tensor logarithms = at::empty({problem.rows}, floats);
    at::Tensor mean = at::empty({}, floats);
    at::Tensor share = at::empty({}, floats);
    cross_entropy_forward(problem, {.logits = logits.const_data_ptr(),
                                    .labels = labels.const_data_ptr<std::int64_t>(),
                                    .losses = losses.mutable_data_ptr<float>(),
                                    .counts = counts.mutable_data_ptr<float>(),
                                    .logarithms = logarithms.mutable_data_ptr<float>(),
                                    .mean = mean.mutable_data_ptr<float>(),
                                    .share = share.mutable_data_ptr<float>()});
    context->save_for_backward({logits, labels, logarithms, share});
    context->saved_data["classes"] = classes;
    context->saved_data["smoothing"] = smoothing;
    context->saved_data["ignored"] = ignored;
    return mean;
  }

  static tensor_list backward(AutogradContext* context, tensor_list gradients) {
    const auto saved = context->get_saved_variables();
    const at::Tensor& logits = saved[0];
    const CrossEntropyProblem problem = cross_entropy_problem(
        logits, context->saved_data["classes"].toInt(), context->saved_data["smoothing"].toDouble(),
        context->saved_data["ignored"].toInt());
    const at::Tensor gradient = gradients[0].to(at::kFloat);
    at::Tensor dlogits = at::empty_like(logits);
    cross_entropy_backward(problem, {.logits = logits.const_data_ptr(),
                                     .labels = saved[1].const_data_ptr<std::int64_t>(),
                                     .logarithms = saved[2].const_data_ptr<float>(),
                                     .share = saved[3].const_data_ptr<float>(),
                                     .gradient = gradient.const_data_ptr<float>(),
                                     .dlogits = dlogits.mutable_data_ptr()});
    return {dlogits, at::Tensor(), at::Tensor(), at::Tensor(), at::Tensor()};
  }
};

}  // namespace

at::Tensor cross_entropy(const CrossEntropyArguments& arguments) {
  return MeanCrossEntropy::apply(arguments.logits, arguments.labels, arguments.classes,
                                 arguments.smoothing, arguments.ignored);
}

}  // namespace trainmark::train
