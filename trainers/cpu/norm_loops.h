#pragma once

#include <cstdint>

namespace trainmark::train {

/// What the loops of a norm know of some pixels' channels: pixels follow one another, and each has
/// all its channels side by side.
struct NormPixels {
  std::int64_t pixels;
  std::int64_t channels;
};

/// z = x × scale + offset (+ residual); y = z, or z × slope where z is not above zero. A slope of 1
/// is no activation, a slope of 0 is ReLU. One of each per channel.
struct NormLine {
  const float* scale;
  const float* offset;
  const float* slope;
};

/// Adds x - origin, and its square, of each channel.
void add_moments(const NormPixels& size, const float* x, const float* origin, double* sums,
                 double* squares);

/// `residual` may be null.
void apply_norm(const NormPixels& size, const float* x, const NormLine& line, const float* residual,
                float* y);

/// What the backward pass reads. `y` is null where the sign of z follows from x.
struct NormGradient {
  const float* x;
  const float* y;
  const float* dy;
  NormLine line;
};

/// Adds, of each channel: dz, dz × (x - mean), and, unless null, dy × min(z, 0).
void add_norm_gradients(const NormPixels& size, const NormGradient& given, const float* mean,
                        double* dz_sums, double* dz_x_sums, double* slope_sums);

/// dx = dz × a + x × b + c, one of each per channel, and, unless null, dz.
struct NormBackLine {
  const float* a;
  const float* b;
  const float* c;
};
void apply_norm_gradient(const NormPixels& size, const NormGradient& given,
                         const NormBackLine& line, float* dx, float* dz);

}  // namespace trainmark::train
