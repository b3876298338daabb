#include "base/error.h"
#include "data/pictures/resize.h"

namespace trainmark::data {

namespace {

constexpr std::size_t values_together = 192;  // whole vectors and whole pixels, not unrolled

struct Scaling {
  float means[values_together];
  float factors[values_together];
};

/// A difference and a product round alike on every processor; a product and a sum may be fused.
[[gnu::always_inline]] inline void scale_values(const std::uint8_t* __restrict from,
                                                std::size_t size, const Scaling& __restrict scaling,
                                                float* __restrict to) {
  for (; size >= values_together; size -= values_together) {
    for (std::size_t i = 0; i < values_together; ++i)
      to[i] = (static_cast<float>(from[i]) - scaling.means[i]) * scaling.factors[i];
    from += values_together;
    to += values_together;
  }
  for (std::size_t i = 0; i < size; ++i)
    to[i] = (static_cast<float>(from[i]) - scaling.means[i]) * scaling.factors[i];
}

#ifdef __x86_64__
__attribute__((target("avx2"))) void scale_by_avx2(const std::uint8_t* from, std::size_t size,
                                                   const Scaling& scaling, float* to) {
  scale_values(from, size, scaling, to);
}
#endif

}  // namespace

void normalize(const Picture& picture, const Normalization& normalization, float* result) {
  TRAINMARK_ASSERT(picture.channels == 3);
  // (x / 255 − mean) / deviation = (x − 255 × mean) × (1 / (255 × deviation))
  Scaling scaling;
  for (std::size_t at = 0; at < values_together; ++at) {
    scaling.means[at] = static_cast<float>(255.0 * normalization.mean[at % 3]);
    scaling.factors[at] = static_cast<float>(1.0 / (255.0 * normalization.deviation[at % 3]));
  }
  const std::size_t size = picture.pixels.size();
#ifdef __x86_64__
  if (__builtin_cpu_supports("avx2"))
    return scale_by_avx2(picture.pixels.data(), size, scaling, result);
#endif
  scale_values(picture.pixels.data(), size, scaling, result);
}

}  // namespace trainmark::data
