#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "data/pictures/picture.h"

namespace trainmark::data {

/// How far two sets of pictures are apart: trainers/quality/frechet.h without LibTorch, for data
/// sets that are made. Of each picture, at its size, a half and a quarter of it, for each channel
/// the mean, the standard deviation, and the mean differences between neighbours across and down.
class PictureStatistics {
 public:
  static constexpr int numbers = 36;
  using Matrix = std::array<std::array<double, numbers>, numbers>;

  /// RGB; at least four pixels wide and high.
  void add(const Picture& picture);

  friend double distance_between(const PictureStatistics& one, const PictureStatistics& other);

 private:
  using Row = std::array<double, numbers>;

  Row mean() const;
  Matrix covariance() const;

  std::vector<Row> rows_;  // of each picture
};

/// The Fréchet distance of the Gaussians with their moments. Two pictures of each at least.
double distance_between(const PictureStatistics& one, const PictureStatistics& other);

}  // namespace trainmark::data
