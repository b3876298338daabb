#include "quality/frechet.h"

#include <ATen/ops/avg_pool2d.h>
#include <ATen/ops/cat.h>
#include <ATen/ops/eye.h>
#include <ATen/ops/linalg_eigh.h>
#include <ATen/ops/linalg_eigvalsh.h>
#include <ATen/ops/matmul.h>
#include <ATen/ops/outer.h>
#include <ATen/ops/zeros.h>

#include <limits>

namespace trainmark::train {
namespace {

constexpr double added_variance = 1e-6;  // a covariance of few pictures has no inverse
constexpr int scales = 3;

at::Tensor mean_of(const at::Tensor& planes) {
  return planes.mean({2, 3});
}

at::Tensor features_at_one_scale(const at::Tensor& pictures) {
  const at::Tensor across = pictures.slice(3, 1) - pictures.slice(3, 0, -1);
  const at::Tensor down = pictures.slice(2, 1) - pictures.slice(2, 0, -1);
  const at::Tensor deviation =
      pictures.var(at::OptionalIntArrayRef({2, 3}), /*unbiased=*/false).clamp_min(0).sqrt();
  return at::cat({mean_of(pictures), deviation, mean_of(across.abs()), mean_of(down.abs())}, 1);
}

}  // namespace

at::Tensor picture_features(const at::Tensor& pictures) {
  at::Tensor scaled = pictures.to(at::kDouble);
  std::vector<at::Tensor> features;
  for (int scale = 0; scale < scales; ++scale) {
    if (scale > 0) scaled = at::avg_pool2d(scaled, 2);
    features.push_back(features_at_one_scale(scaled));
  }
  return at::cat(features, 1);
}

Gaussian::Gaussian(at::Device device, std::int64_t width) {
  const auto options = at::TensorOptions(device).dtype(at::kDouble);
  count_ = at::zeros({1}, options);
  sum_ = at::zeros({width}, options);
  products_ = at::zeros({width, width}, options);
}

void Gaussian::add(const at::Tensor& features) {
  count_ += features.size(0);
  sum_ += features.sum(0);
  products_ += at::matmul(features.t(), features);
}

Gaussian::Moments Gaussian::moments(World& world) const {
  std::vector<at::Tensor> sums = {count_.clone(), sum_.clone(), products_.clone()};
  for (at::Tensor& sum : sums) {
    world.sum(sum);
    sum = sum.cpu();
  }
  const double count = sums[0].item<double>();
  const at::Tensor mean = sums[1] / count;
  const at::Tensor covariance = (sums[2] - count * at::outer(mean, mean)) / (count - 1);
  return {.mean = mean,
          .covariance = covariance + added_variance * at::eye(mean.size(0), covariance.options())};
}

double frechet_distance(const Gaussian::Moments& one, const Gaussian::Moments& other) {
  const at::Tensor apart = (one.mean - other.mean).square().sum();
  const at::Tensor traces = one.covariance.trace() + other.covariance.trace();
  if (!(apart + traces).isfinite().item<bool>()) return std::numeric_limits<double>::quiet_NaN();
  const auto [values, vectors] = at::linalg_eigh(one.covariance);
  const at::Tensor root =
      at::matmul(vectors * values.clamp_min(0).sqrt().unsqueeze(0), vectors.t());
  const at::Tensor product = at::matmul(at::matmul(root, other.covariance), root);
  const at::Tensor common =
      at::linalg_eigvalsh((product + product.t()) / 2).clamp_min(0).sqrt().sum();
  return (apart + traces - 2 * common).item<double>();
}

}  // namespace trainmark::train
