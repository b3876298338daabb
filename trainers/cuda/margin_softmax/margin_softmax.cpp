#include "cuda/margin_softmax/margin_softmax.h"

#include <ATen/ops/empty.h>
#include <ATen/ops/empty_like.h>
#include <ATen/ops/linalg_vector_norm.h>
#include <ATen/ops/mm.h>
#include <c10/cuda/CUDAStream.h>
#include <torch/csrc/autograd/custom_function.h>

#include "cuda/margin_softmax/margin_softmax_kernels.h"
#include "cuda/support/tensors.h"

namespace trainmark::train {
namespace {

using torch::autograd::AutogradContext;
using torch::autograd::tensor_list;
using torch::autograd::Variable;

/// Rows of products begin at multiples of 16 bytes: only then does cuBLAS take its fast kernels.
at::Tensor empty_products(std::int64_t items, std::int64_t classes, const at::Tensor& like) {
  const std::int64_t at_once = elements_at_once(like);
  const std::int64_t pitch = (classes + at_once - 1) / at_once * at_once;
  return at::empty({items, pitch}, like.options());
}

MarginProblem margin_problem(const at::Tensor& products, std::int64_t classes, double margin,
                             double scale) {
  return {.type = element_type(products),
          .items = static_cast<int>(products.size(0)),
          .classes = static_cast<int>(classes),
          .pitch = static_cast<int>(products.size(1)),
          .margin = static_cast<float>(margin),
          .scale = static_cast<float>(scale),
          .stream = c10::cuda::getCurrentCUDAStream().stream()};
}

class MarginSoftmax : public torch::autograd::Function<MarginSoftmax> {
 public:
  static Variable forward(AutogradContext* context, const Variable& directions,
                          const Variable& classes, const Variable& labels, double margin,
                          double scale) {
    const at::Tensor products = empty_products(directions.size(0), classes.size(0), classes);
    at::Tensor used = products.narrow(1, 0, classes.size(0));
    at::mm_out(used, directions, classes.t());
    const at::Tensor inverses =
        at::linalg_vector_norm(classes, 2, at::IntArrayRef{1}, /*keepdim=*/false, at::kFloat)
            .clamp_min_(1e-12)
            .reciprocal_();
    const at::Tensor losses = at::empty({directions.size(0)}, inverses.options());
    at::Tensor logarithms = at::empty_like(losses);
    margin_forward(margin_problem(products, classes.size(0), margin, scale),
                   {.products = products.const_data_ptr(),
                    .inverses = inverses.const_data_ptr<float>(),
                    .labels = labels.const_data_ptr<std::int64_t>(),
                    .losses = losses.mutable_data_ptr<float>(),
                    .logarithms = logarithms.mutable_data_ptr<float>()});
    context->save_for_backward({directions, classes, labels, products, inverses, logarithms});
    context->saved_data["margin"] = margin;
    context->saved_data["scale"] = scale;
    return losses.mean();
  }

  static tensor_list backward(AutogradContext* context, const tensor_list& gradients) {
    const auto saved = context->get_saved_variables();
    const at::Tensor& directions = saved[0];
    const at::Tensor& classes = saved[1];
    const at::Tensor& products = saved[3];
    const at::Tensor gradient = gradients[0].to(at::kFloat);
    const at::Tensor dproducts = at::empty_like(products);
    const at::Tensor by_class = at::empty_like(saved[4]);
    const MarginProblem problem =
        margin_problem(products, classes.size(0), context->saved_data["margin"].toDouble(),
                       context->saved_data["scale"].toDouble());
    margin_backward(problem, {.products = products.const_data_ptr(),
                              .inverses = saved[4].const_data_ptr<float>(),
                              .labels = saved[2].const_data_ptr<std::int64_t>(),
                              .logarithms = saved[5].const_data_ptr<float>(),
                              .gradient = gradient.const_data_ptr<float>(),
                              .dproducts = dproducts.mutable_data_ptr(),
                              .by_class = by_class.mutable_data_ptr<float>()});
    const at::Tensor used = dproducts.narrow(1, 0, classes.size(0));
    at::Tensor dclasses = used.t().mm(directions);
    add_scaled_rows({.type = element_type(classes),
                     .rows = classes.size(0),
                     .width = static_cast<int>(classes.size(1)),
                     .factors = by_class.const_data_ptr<float>(),
                     .from = classes.const_data_ptr(),
                     .to = dclasses.mutable_data_ptr(),
                     .stream = problem.stream});
    return {used.mm(classes), dclasses, at::Tensor(), at::Tensor(), at::Tensor()};
  }
};

}  // namespace

at::Tensor margin_softmax(const MarginSoftmaxArguments& arguments) {
  return MarginSoftmax::apply(arguments.directions.contiguous(), arguments.classes.contiguous(),
                              arguments.labels.contiguous(), arguments.margin, arguments.scale);
}

}  // namespace trainmark::train
