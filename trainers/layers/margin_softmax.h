#pragma once

#include <ATen/core/Tensor.h>

namespace trainmark::train {

struct Margin {
  double margin = 0.5;  // radians added to the angle to the right class
  double scale = 64;
};

/// The loss of ArcFace (Deng et al. 2019): cross-entropy over scale × the cosines of the angles θ
/// between the embeddings [N, width] and the vectors of the classes [classes, width], with
/// cos(θ + margin) for the right class. Where θ + margin would be beyond π, the cosine is lowered
/// by margin × sin(margin) instead, so that it goes on falling with θ.
at::Tensor margin_softmax_loss(const at::Tensor& embeddings, const at::Tensor& classes,
                               const at::Tensor& labels, const Margin& margin);

}  // namespace trainmark::train
