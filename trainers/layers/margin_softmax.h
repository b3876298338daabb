#pragma once

#include <ATen/core/Tensor.h>

#include <memory>

#include "distributed/distributed.h"
#include "kernels/kernels.h"

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
                               const at::Tensor& labels, const Margin& margin,
                               const Kernels& kernels = {});

/// The classes of which this rank has the vectors.
struct ClassShard {
  std::shared_ptr<World> world;  // whose ranks have the others
  std::int64_t first = 0;        // label of the first vector
  double sample_rate = 1;        // the share of them that a step uses
};

/// The same over the items of all ranks, each of which has a part of the classes (Partial FC, An et
/// al. 2022): the embeddings are gathered, the maximum and the sum of the softmax reduced over the
/// ranks, and the gradients of the embeddings summed and scattered back. The loss is the mean over
/// the items of all ranks, for all ranks the same; the gradients of the embeddings are made to be
/// averaged over the ranks behind them.
///
/// With a sample rate below 1 a step uses the classes of its items and as many others, drawn again
/// each time, as make up that share of this rank's; at least one class for each item of all ranks,
/// so that the number is known before the labels are.
at::Tensor sharded_margin_softmax_loss(const at::Tensor& embeddings, const at::Tensor& classes,
                                       const at::Tensor& labels, const Margin& margin,
                                       const ClassShard& shard);

}  // namespace trainmark::train
