#include "layers/margin_softmax.h"

#include <ATen/ops/cat.h>
#include <ATen/ops/cross_entropy_loss.h>
#include <ATen/ops/linalg_vector_norm.h>
#include <ATen/ops/rand.h>
#include <ATen/ops/searchsorted.h>
#include <ATen/ops/where.h>
#include <torch/csrc/autograd/custom_function.h>

#include <algorithm>
#include <cmath>

#include "layers/saved_world.h"

namespace trainmark::train {
namespace {

using torch::autograd::AutogradContext;
using torch::autograd::tensor_list;

/// Of each row, at least 1e-12, in float (or double, as the rows are): [N, 1].
at::Tensor lengths(const at::Tensor& rows) {
  const at::ScalarType type = c10::promoteTypes(rows.scalar_type(), at::kFloat);
  return at::linalg_vector_norm(rows, 2, at::IntArrayRef{1}, /*keepdim=*/true, type)
      .clamp_min(1e-12);
}

/// Which items have their right class on this rank [N, 1]; not defined where all have.
struct Here {
  at::Tensor mask;
};

/// Puts scale × cos(θ + margin) in the place of scale × cos θ for the right class of each item that
/// has one `here`; all have, where it is not defined. The others, and their gradients, stay where
/// they are: there may be a hundred thousand.
struct AddMargin : torch::autograd::Function<AddMargin> {
  static at::Tensor forward(AutogradContext* context, at::Tensor logits, const at::Tensor& right,
                            const Here& items, const Margin& margin) {
    const at::Tensor& here = items.mask;
    const double cos_margin = std::cos(margin.margin);
    const double sin_margin = std::sin(margin.margin);
    const at::Tensor cosine = logits.gather(1, right) / margin.scale;
    const at::Tensor square = 1 - cosine.square();  // of the sine
    const at::Tensor sine = square.clamp_min(smallest_square).sqrt();
    const at::Tensor beyond = cosine < -cos_margin;  // θ > π − margin
    at::Tensor turned = at::where(beyond, cosine - margin.margin * sin_margin,
                                  cosine * cos_margin - sine * sin_margin);
    const at::Tensor cotangent = at::where(square < smallest_square, 0, cosine / sine);
    at::Tensor slope = at::where(beyond, 1, cos_margin + cotangent * sin_margin);
    if (here.defined()) {
      turned = at::where(here, turned, cosine);
      slope = at::where(here, slope, 1);
    }
    logits.scatter_(1, right, margin.scale * turned);
    context->save_for_backward({right, slope});
    context->mark_dirty({logits});
    return logits;
  }

  static tensor_list backward(AutogradContext* context, const tensor_list& gradients) {
    const tensor_list saved = context->get_saved_variables();
    const at::Tensor& right = saved[0];
    const at::Tensor& slope = saved[1];
    const at::Tensor& gradient = gradients[0];  // cross-entropy made it for us alone
    gradient.scatter_(1, right, gradient.gather(1, right) * slope);
    return {gradient, {}, {}, {}};
  }

  static constexpr double smallest_square = 1e-12;  // keeps the root's slope finite
};

/// scale × the cosines, in float.
at::Tensor scaled_cosines(const at::Tensor& directions, const at::Tensor& classes, double scale,
                          const Kernels& kernels = {}) {
  // The lengths of the classes divide the products, which are fewer than the numbers in the
  // vectors, and the scale goes with them. As they are floats, so are the logits.
  const bool has_products = kernels.linear != nullptr && !classes.is_cuda();
  const at::Tensor products =
      has_products ? kernels.linear(directions, classes, {}) : directions.mm(classes.t());
  return products * (scale / lengths(classes).t());
}

/// It reads 16 bytes of a class at a time, and products in half precision.
bool has_kernel(const Kernels& kernels, const at::Tensor& classes) {
  return kernels.margin_softmax != nullptr && classes.is_cuda() &&
         c10::isReducedFloatingType(classes.scalar_type()) && classes.size(1) % 8 == 0;
}

/// The rows of all ranks.
struct GatherRows : torch::autograd::Function<GatherRows> {
  static at::Tensor forward(AutogradContext* context, const at::Tensor& rows,
                            const std::shared_ptr<World>& world) {
    context->saved_data["world"] = SavedWorld::save(world);
    return world->gather_rows(rows);
  }

  static tensor_list backward(AutogradContext* context, const tensor_list& gradients) {
    World& world = SavedWorld::of(context->saved_data["world"]);
    // All gradients behind this point are averaged over the ranks, and this one is whole.
    return {world.scatter_sum(gradients[0]) * world.size(), {}};
  }
};

/// Cross-entropy over classes that lie on several ranks: the mean over all items. The right class
/// of an item is the column `right`, where it is `here`.
struct ShardedCrossEntropy : torch::autograd::Function<ShardedCrossEntropy> {
  static at::Tensor forward(AutogradContext* context, const at::Tensor& logits,
                            const at::Tensor& right, const at::Tensor& here,
                            const std::shared_ptr<World>& world) {
    const at::Tensor most = logits.amax(1, /*keepdim=*/true);
    world->maximum(most);
    const at::Tensor shifted = logits - most;
    const at::Tensor truth = at::where(here, shifted.gather(1, right), 0);
    at::Tensor shares = shifted.exp_();
    const at::Tensor sums = at::cat({shares.sum(1, /*keepdim=*/true), truth}, 1);
    world->sum(sums);
    const at::Tensor all = sums.narrow(1, 0, 1);
    shares.div_(all);
    context->save_for_backward({shares, right, here});
    return (all.log() - sums.narrow(1, 1, 1)).mean();
  }

  static tensor_list backward(AutogradContext* context, const tensor_list& gradients) {
    const tensor_list saved = context->get_saved_variables();
    const at::Tensor& right = saved[1];
    at::Tensor gradient = saved[0].scatter_add(1, right, -saved[2].to(saved[0].scalar_type()));
    gradient.mul_(gradients[0] / static_cast<double>(gradient.size(0)));
    return {gradient, {}, {}, {}};
  }
};

/// The classes of a step, and where the right ones of the items lie among them.
struct Candidates {
  at::Tensor classes;
  at::Tensor right;  // [items, 1]
};

Candidates draw_candidates(const at::Tensor& classes, const at::Tensor& right,
                           const at::Tensor& here, double rate) {
  const std::int64_t own = classes.size(0);
  const auto share = static_cast<std::int64_t>(std::ceil(rate * static_cast<double>(own)));
  const std::int64_t count = std::min(own, std::max(share, right.size(0)));
  if (count == own) return {classes, right};
  // The largest of these are taken. Behind the last class lies what is not here.
  const at::Tensor luck = at::rand({own + 1}, classes.options().dtype(at::kFloat));
  luck.index_fill_(0, at::where(here, right, own).flatten(), 2);
  const at::Tensor chosen = std::get<0>(std::get<1>(luck.narrow(0, 0, own).topk(count)).sort());
  const at::Tensor places = at::searchsorted(chosen, right).clamp_max(count - 1);
  return {classes.index_select(0, chosen), places};
}

}  // namespace

at::Tensor margin_softmax_loss(const at::Tensor& embeddings, const at::Tensor& classes,
                               const at::Tensor& labels, const Margin& margin,
                               const Kernels& kernels) {
  const at::Tensor directions = (embeddings / lengths(embeddings)).to(classes.scalar_type());
  if (has_kernel(kernels, classes)) {
    return kernels.margin_softmax({.directions = directions,
                                   .classes = classes,
                                   .labels = labels,
                                   .margin = margin.margin,
                                   .scale = margin.scale});
  }
  const at::Tensor cosines = scaled_cosines(directions, classes, margin.scale, kernels);
  const at::Tensor logits = AddMargin::apply(cosines, labels.unsqueeze(1), Here{}, margin);
  return at::cross_entropy_loss(logits, labels);
}

at::Tensor sharded_margin_softmax_loss(const at::Tensor& embeddings, const at::Tensor& classes,
                                       const at::Tensor& labels, const Margin& margin,
                                       const ClassShard& shard) {
  const at::Tensor own = (embeddings / lengths(embeddings)).to(classes.scalar_type());
  const at::Tensor directions = GatherRows::apply(own, shard.world);
  const at::Tensor places = shard.world->gather_rows(labels).unsqueeze(1) - shard.first;
  const at::Tensor here = places.ge(0).logical_and(places.lt(classes.size(0)));
  const auto [used, right] =
      draw_candidates(classes, places.clamp(0, classes.size(0) - 1), here, shard.sample_rate);
  const at::Tensor cosines = scaled_cosines(directions, used, margin.scale);
  const at::Tensor logits = AddMargin::apply(cosines, right, Here{here}, margin);
  return ShardedCrossEntropy::apply(logits, right, here, shard.world);
}

}  // namespace trainmark::train
