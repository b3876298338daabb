#include "layers/margin_softmax.h"

#include <ATen/ops/cross_entropy_loss.h>
#include <ATen/ops/linalg_vector_norm.h>
#include <ATen/ops/where.h>
#include <torch/csrc/autograd/custom_function.h>

#include <cmath>

namespace trainmark::train {
namespace {

using torch::autograd::AutogradContext;
using torch::autograd::tensor_list;

/// Of each row, at least 1e-12, in float: [N, 1].
at::Tensor lengths(const at::Tensor& rows) {
  return at::linalg_vector_norm(rows, 2, at::IntArrayRef{1}, /*keepdim=*/true, at::kFloat)
      .clamp_min(1e-12);
}

/// Puts scale × cos(θ + margin) in the place of scale × cos θ for the right class of each item.
/// The others, and their gradients, stay where they are: there may be a hundred thousand.
struct AddMargin : torch::autograd::Function<AddMargin> {
  static at::Tensor forward(AutogradContext* context, at::Tensor logits, const at::Tensor& right,
                            const Margin& margin) {
    const double cos_margin = std::cos(margin.margin);
    const double sin_margin = std::sin(margin.margin);
    const at::Tensor cosine = logits.gather(1, right) / margin.scale;
    const at::Tensor square = 1 - cosine.square();  // of the sine
    const at::Tensor sine = square.clamp_min(kSmallest).sqrt();
    const at::Tensor beyond = cosine < -cos_margin;  // θ > π − margin
    logits.scatter_(1, right,
                    margin.scale * at::where(beyond, cosine - margin.margin * sin_margin,
                                             cosine * cos_margin - sine * sin_margin));
    const at::Tensor cotangent = at::where(square < kSmallest, 0, cosine / sine);
    const at::Tensor slope = at::where(beyond, 1, cos_margin + cotangent * sin_margin);
    context->save_for_backward({right, slope});
    context->mark_dirty({logits});
    return logits;
  }

  static tensor_list backward(AutogradContext* context, const tensor_list& gradients) {
    const tensor_list saved = context->get_saved_variables();
    const at::Tensor& right = saved[0];
    const at::Tensor& slope = saved[1];
    at::Tensor gradient = gradients[0];  // cross-entropy made it for us alone
    gradient.scatter_(1, right, gradient.gather(1, right) * slope);
    return {gradient, {}, {}};
  }

  static constexpr double kSmallest = 1e-12;  // keeps the root's slope finite
};

}  // namespace

at::Tensor margin_softmax_loss(const at::Tensor& embeddings, const at::Tensor& classes,
                               const at::Tensor& labels, const Margin& margin) {
  const at::Tensor directions = (embeddings / lengths(embeddings)).to(classes.scalar_type());
  // The lengths of the classes divide the products, which are fewer than the numbers in the
  // vectors, and the scale goes with them. As they are floats, so are the logits.
  const at::Tensor cosines = directions.mm(classes.t()) * (margin.scale / lengths(classes).t());
  const at::Tensor logits = AddMargin::apply(cosines, labels.unsqueeze(1), margin);
  return at::cross_entropy_loss(logits, labels);
}

}  // namespace trainmark::train
