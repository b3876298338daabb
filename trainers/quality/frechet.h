#pragma once

#include <ATen/core/Tensor.h>

#include "distributed/distributed.h"

namespace trainmark::train {

constexpr std::int64_t picture_numbers = 36;

/// Of pictures [N, 3, height, width] in [-1, 1]: at their size, a half and a quarter of it, for
/// each channel the mean, the standard deviation, and the mean differences between neighbours
/// across and down; [N, 36] in doubles. Sides are multiples of four.
at::Tensor picture_features(const at::Tensor& pictures);

/// The numbers of many pictures as a Gaussian.
class Gaussian {
 public:
  explicit Gaussian(at::Device device, std::int64_t width = picture_numbers);

  void add(const at::Tensor& features);  // [N, width]

  /// Of all ranks, on the host.
  struct Moments {
    at::Tensor mean;
    at::Tensor covariance;
  };
  Moments moments(World& world) const;

 private:
  at::Tensor count_;
  at::Tensor sum_;
  at::Tensor products_;
};

/// |m₁ − m₂|² + tr(C₁ + C₂ − 2 √(√C₁ C₂ √C₁)). NaN where a number is not finite.
double frechet_distance(const Gaussian::Moments& one, const Gaussian::Moments& other);

}  // namespace trainmark::train
