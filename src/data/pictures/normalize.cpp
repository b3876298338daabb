#include <array>

#include "base/error.h"
#include "data/pictures/resize.h"

namespace trainmark::data {

/// (x / 255 − mean) / deviation, as (x − 255 × mean) × (1 / (255 × deviation)): a difference and a
/// product round alike on every processor, while a product and a sum may be fused.
void normalize(const Picture& picture, const Normalization& normalization, float* result) {
  TRAINMARK_ASSERT(picture.channels == 3);
  constexpr std::size_t together = 24;  // whole vectors and whole pixels
  std::array<float, together> means;
  std::array<float, together> scales;
  for (std::size_t at = 0; at < together; ++at) {
    means[at] = static_cast<float>(255.0 * normalization.mean[at % 3]);
    scales[at] = static_cast<float>(1.0 / (255.0 * normalization.deviation[at % 3]));
  }
  const std::size_t size = picture.pixels.size();
  const std::uint8_t* from = picture.pixels.data();
  std::size_t at = 0;
  for (; at + together <= size; at += together)
    for (std::size_t i = 0; i < together; ++i)
      result[at + i] = (static_cast<float>(from[at + i]) - means[i]) * scales[i];
  for (std::size_t i = 0; at < size; ++at, ++i)
    result[at] = (static_cast<float>(from[at]) - means[i]) * scales[i];
}

}  // namespace trainmark::data
