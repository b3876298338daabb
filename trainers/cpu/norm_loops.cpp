#include "cpu/norm_loops.h"

#include <algorithm>
#include <vector>

#include "cpu/vectorized.h"

namespace trainmark::train {
namespace {

// So many pixels are summed in floats; the sums of these, in doubles.
constexpr std::int64_t pixels_in_floats = 32;

TRAINMARK_VECTORIZED
void add_float_moments(const NormPixels& size, const float* x, const float* origin, float* sums,
                       float* squares) {
  for (std::int64_t pixel = 0; pixel < size.pixels; ++pixel, x += size.channels) {
    TRAINMARK_NO_OVERLAP
    for (std::int64_t c = 0; c < size.channels; ++c) {
      const float difference = x[c] - origin[c];
      sums[c] += difference;
      squares[c] += difference * difference;
    }
  }
}

// Pointers of their own, so that the compiler sees that no store can change them.

template <bool from_y, bool has_slopes>
inline __attribute__((always_inline)) void add_gradients(const NormPixels& size,
                                                         const NormGradient& given,
                                                         const float* mean, float* dz_sums,
                                                         float* dz_x_sums, float* slope_sums) {
  const std::int64_t channels = size.channels;
  const float* const scale = given.line.scale;
  const float* const offset = given.line.offset;
  const float* const slope = given.line.slope;
  for (std::int64_t pixel = 0; pixel < size.pixels; ++pixel) {
    const float* const x = given.x + pixel * channels;
    const float* const y = from_y ? given.y + pixel * channels : nullptr;
    const float* const dy = given.dy + pixel * channels;
    TRAINMARK_NO_OVERLAP
    for (std::int64_t c = 0; c < channels; ++c) {
      const float below = slope[c];
      const float value = x[c];
      const float gradient = dy[c];
      const float z = from_y ? y[c] : value * scale[c] + offset[c];
      const float dz = z > 0 ? gradient : gradient * below;
      dz_sums[c] += dz;
      dz_x_sums[c] += dz * (value - mean[c]);
      if constexpr (has_slopes) slope_sums[c] += gradient * std::min(z, 0.0F);
    }
  }
}

TRAINMARK_VECTORIZED
void add_gradients_by_x(const NormPixels& size, const NormGradient& given, const float* mean,
                        float* dz_sums, float* dz_x_sums) {
  add_gradients<false, false>(size, given, mean, dz_sums, dz_x_sums, nullptr);
}

TRAINMARK_VECTORIZED
void add_gradients_by_y(const NormPixels& size, const NormGradient& given, const float* mean,
                        float* dz_sums, float* dz_x_sums) {
  add_gradients<true, false>(size, given, mean, dz_sums, dz_x_sums, nullptr);
}

TRAINMARK_VECTORIZED
void add_gradients_and_slopes(const NormPixels& size, const NormGradient& given, const float* mean,
                              float* dz_sums, float* dz_x_sums, float* slope_sums) {
  add_gradients<false, true>(size, given, mean, dz_sums, dz_x_sums, slope_sums);
}

template <bool from_y>
inline __attribute__((always_inline)) void apply_gradient(const NormPixels& size,
                                                          const NormGradient& given,
                                                          const NormBackLine& line, float* dx_out,
                                                          float* dz_out) {
  const std::int64_t channels = size.channels;
  const float* const scale = given.line.scale;
  const float* const offset = given.line.offset;
  const float* const slope = given.line.slope;
  const float* const a = line.a;
  const float* const b = line.b;
  const float* const constant = line.c;
  for (std::int64_t pixel = 0; pixel < size.pixels; ++pixel) {
    const float* const x = given.x + pixel * channels;
    const float* const y = from_y ? given.y + pixel * channels : nullptr;
    const float* const dy = given.dy + pixel * channels;
    float* const dx = dx_out + pixel * channels;
    float* const dz_here = from_y ? dz_out + pixel * channels : nullptr;
    TRAINMARK_NO_OVERLAP
    for (std::int64_t c = 0; c < channels; ++c) {
      const float below = slope[c];
      const float value = x[c];
      const float gradient = dy[c];
      const float z = from_y ? y[c] : value * scale[c] + offset[c];
      const float dz = z > 0 ? gradient : gradient * below;
      dx[c] = dz * a[c] + value * b[c] + constant[c];
      if constexpr (from_y) dz_here[c] = dz;
    }
  }
}

TRAINMARK_VECTORIZED
void apply_gradient_by_x(const NormPixels& size, const NormGradient& given,
                         const NormBackLine& line, float* dx) {
  apply_gradient<false>(size, given, line, dx, nullptr);
}

TRAINMARK_VECTORIZED
void apply_gradient_by_y(const NormPixels& size, const NormGradient& given,
                         const NormBackLine& line, float* dx, float* dz) {
  apply_gradient<true>(size, given, line, dx, dz);
}

template <bool has_residual>
inline __attribute__((always_inline)) void apply(const NormPixels& size, const float* x_in,
                                                 const NormLine& line, const float* residual_in,
                                                 float* y_out) {
  const std::int64_t channels = size.channels;
  const float* const scale = line.scale;
  const float* const offset = line.offset;
  const float* const slope = line.slope;
  for (std::int64_t pixel = 0; pixel < size.pixels; ++pixel) {
    const float* const x = x_in + pixel * channels;
    const float* const residual = has_residual ? residual_in + pixel * channels : nullptr;
    float* const y = y_out + pixel * channels;
    TRAINMARK_NO_OVERLAP
    for (std::int64_t c = 0; c < channels; ++c) {
      const float below = slope[c];
      float z = x[c] * scale[c] + offset[c];
      if constexpr (has_residual) z += residual[c];
      y[c] = z > 0 ? z : z * below;
    }
  }
}

TRAINMARK_VECTORIZED
void apply_alone(const NormPixels& size, const float* x, const NormLine& line, float* y) {
  apply<false>(size, x, line, nullptr, y);
}

TRAINMARK_VECTORIZED
void apply_and_add(const NormPixels& size, const float* x, const NormLine& line,
                   const float* residual, float* y) {
  apply<true>(size, x, line, residual, y);
}

/// Sums of a few pixels in floats, before they join those in doubles.
class FloatSums {
 public:
  explicit FloatSums(std::int64_t channels) : sums_(static_cast<std::size_t>(channels)) {}

  float* begin() {
    std::fill(sums_.begin(), sums_.end(), 0.0F);
    return sums_.data();
  }

  void add_to(double* sums) const {
    for (std::size_t c = 0; c < sums_.size(); ++c) sums[c] += static_cast<double>(sums_[c]);
  }

 private:
  std::vector<float> sums_;
};

/// Calls `part` with the first pixel and the size of each few of them.
template <class Part>
void in_parts(const NormPixels& size, const Part& part) {
  for (std::int64_t first = 0; first < size.pixels; first += pixels_in_floats) {
    const std::int64_t count = std::min(pixels_in_floats, size.pixels - first);
    part(first * size.channels, NormPixels{.pixels = count, .channels = size.channels});
  }
}

}  // namespace

void add_moments(const NormPixels& size, const float* x, const float* origin, double* sums,
                 double* squares) {
  FloatSums few_sums(size.channels);
  FloatSums few_squares(size.channels);
  in_parts(size, [&](std::int64_t first, const NormPixels& few) {
    add_float_moments(few, x + first, origin, few_sums.begin(), few_squares.begin());
    few_sums.add_to(sums);
    few_squares.add_to(squares);
  });
}

void apply_norm(const NormPixels& size, const float* x, const NormLine& line, const float* residual,
                float* y) {
  if (residual == nullptr) {
    apply_alone(size, x, line, y);
  } else {
    apply_and_add(size, x, line, residual, y);
  }
}

void add_norm_gradients(const NormPixels& size, const NormGradient& given, const float* mean,
                        double* dz_sums, double* dz_x_sums, double* slope_sums) {
  FloatSums few_dz(size.channels);
  FloatSums few_dz_x(size.channels);
  FloatSums few_slopes(size.channels);
  in_parts(size, [&](std::int64_t first, const NormPixels& few) {
    NormGradient part = given;
    part.x += first;
    part.dy += first;
    if (part.y != nullptr) part.y += first;
    float* dz = few_dz.begin();
    float* dz_x = few_dz_x.begin();
    if (slope_sums != nullptr) {
      add_gradients_and_slopes(few, part, mean, dz, dz_x, few_slopes.begin());
      few_slopes.add_to(slope_sums);
    } else if (part.y != nullptr) {
      add_gradients_by_y(few, part, mean, dz, dz_x);
    } else {
      add_gradients_by_x(few, part, mean, dz, dz_x);
    }
    few_dz.add_to(dz_sums);
    few_dz_x.add_to(dz_x_sums);
  });
}

void apply_norm_gradient(const NormPixels& size, const NormGradient& given,
                         const NormBackLine& line, float* dx, float* dz) {
  if (given.y != nullptr) {
    apply_gradient_by_y(size, given, line, dx, dz);
  } else {
    apply_gradient_by_x(size, given, line, dx);
  }
}

}  // namespace trainmark::train
