#include "data/making/picture_distance.h"

#include <algorithm>
#include <cmath>

#include "base/error.h"

namespace trainmark::data {

namespace {

using Matrix = PictureStatistics::Matrix;

constexpr int order = PictureStatistics::numbers;
constexpr double least_variance = 1e-6;  // a covariance of few pictures has no inverse
constexpr std::size_t picture_scales = 3;
constexpr int most_sweeps = 60;

/// One channel of a picture, in [-1, 1].
struct Plane {
  int width = 0;
  int height = 0;
  std::vector<double> values;

  double at(int x, int y) const {
    return values[static_cast<std::size_t>(y) * static_cast<std::size_t>(width) +
                  static_cast<std::size_t>(x)];
  }

  Plane halved() const {
    Plane half{width / 2, height / 2, {}};
    for (int y = 0; y < half.height; ++y)
      for (int x = 0; x < half.width; ++x)
        half.values.push_back((at(2 * x, 2 * y) + at(2 * x + 1, 2 * y) + at(2 * x, 2 * y + 1) +
                               at(2 * x + 1, 2 * y + 1)) /
                              4);
    return half;
  }
};

Plane plane_of(const Picture& picture, int channel) {
  Plane plane{picture.width, picture.height, {}};
  for (std::size_t i = static_cast<std::size_t>(channel); i < picture.pixels.size(); i += 3)
    plane.values.push_back(picture.pixels[i] / 127.5 - 1);
  return plane;
}

/// Mean, deviation, and the differences across and down.
std::array<double, 4> numbers_of(const Plane& plane) {
  double sum = 0, squares = 0, across = 0, down = 0;
  for (const double value : plane.values) sum += value;
  const auto count = static_cast<double>(plane.values.size());
  const double mean = sum / count;
  for (const double value : plane.values) squares += (value - mean) * (value - mean);
  for (int y = 0; y < plane.height; ++y)
    for (int x = 0; x < plane.width; ++x) {
      if (x > 0) across += std::abs(plane.at(x, y) - plane.at(x - 1, y));
      if (y > 0) down += std::abs(plane.at(x, y) - plane.at(x, y - 1));
    }
  return {mean, std::sqrt(squares / count), across / (plane.height * (plane.width - 1.0)),
          down / (plane.width * (plane.height - 1.0))};
}

Matrix product(const Matrix& a, const Matrix& b) {
  Matrix result{};
  for (int i = 0; i < order; ++i)
    for (int k = 0; k < order; ++k)
      for (int j = 0; j < order; ++j) result[i][j] += a[i][k] * b[k][j];
  return result;
}

/// Of a symmetric matrix, which becomes diagonal: Jacobi's rotations. Its vectors are the columns
/// of what is returned.
Matrix diagonalize(Matrix& a) {
  Matrix vectors{};
  for (int i = 0; i < order; ++i) vectors[i][i] = 1;
  for (int sweep = 0; sweep < most_sweeps; ++sweep) {
    double off = 0, all = 0;
    for (int i = 0; i < order; ++i)
      for (int j = 0; j < order; ++j) (i == j ? all : off) += a[i][j] * a[i][j];
    if (off <= 1e-30 * all) break;
    for (int p = 0; p < order; ++p)
      for (int q = p + 1; q < order; ++q) {
        if (a[p][q] == 0) continue;
        const double theta = (a[q][q] - a[p][p]) / (2 * a[p][q]);
        const double t = std::copysign(1, theta) / (std::abs(theta) + std::hypot(theta, 1));
        const double c = 1 / std::hypot(t, 1), s = t * c;
        const auto turn = [&](double& x, double& y) {
          const double old = x;
          x = c * old - s * y;
          y = s * old + c * y;
        };
        for (int k = 0; k < order; ++k) turn(a[k][p], a[k][q]);
        for (int k = 0; k < order; ++k) turn(a[p][k], a[q][k]);
        for (int k = 0; k < order; ++k) turn(vectors[k][p], vectors[k][q]);
      }
  }
  return vectors;
}

Matrix square_root(Matrix a) {
  const Matrix vectors = diagonalize(a);
  Matrix result{};
  for (int k = 0; k < order; ++k) {
    const double root = std::sqrt(std::max(a[k][k], 0.0));
    for (int i = 0; i < order; ++i)
      for (int j = 0; j < order; ++j) result[i][j] += vectors[i][k] * root * vectors[j][k];
  }
  return result;
}

}  // namespace

void PictureStatistics::add(const Picture& picture) {
  TRAINMARK_ASSERT(picture.channels == 3 && picture.width >= 4 && picture.height >= 4);
  Row& row = rows_.emplace_back();
  for (std::size_t channel = 0; channel < 3; ++channel) {
    Plane plane = plane_of(picture, static_cast<int>(channel));
    for (std::size_t scale = 0; scale < picture_scales; ++scale) {
      if (scale > 0) plane = plane.halved();
      const std::array<double, 4> found = numbers_of(plane);
      for (std::size_t kind = 0; kind < found.size(); ++kind)
        row[12 * scale + 3 * kind + channel] = found[kind];
    }
  }
}

PictureStatistics::Row PictureStatistics::mean() const {
  Row mean{};
  for (const Row& row : rows_)
    for (int i = 0; i < numbers; ++i) mean[i] += row[i] / static_cast<double>(rows_.size());
  return mean;
}

PictureStatistics::Matrix PictureStatistics::covariance() const {
  const Row middle = mean();
  Matrix result{};
  for (const Row& row : rows_)
    for (int i = 0; i < numbers; ++i)
      for (int j = 0; j < numbers; ++j)
        result[i][j] +=
            (row[i] - middle[i]) * (row[j] - middle[j]) / (static_cast<double>(rows_.size()) - 1);
  for (int i = 0; i < numbers; ++i) result[i][i] += least_variance;
  return result;
}

double distance_between(const PictureStatistics& one, const PictureStatistics& other) {
  TRAINMARK_ASSERT(one.rows_.size() > 1 && other.rows_.size() > 1);
  const auto mean = one.mean(), other_mean = other.mean();
  const Matrix first = one.covariance(), second = other.covariance();
  const Matrix root = square_root(first);
  Matrix both = product(product(root, second), root);
  diagonalize(both);
  double distance = 0;
  for (int i = 0; i < order; ++i) {
    distance += (mean[i] - other_mean[i]) * (mean[i] - other_mean[i]);
    distance += first[i][i] + second[i][i] - 2 * std::sqrt(std::max(both[i][i], 0.0));
  }
  return distance;
}

}  // namespace trainmark::data
