#include "data/pictures/filter.h"

#include <algorithm>
#include <cmath>

namespace trainmark::data {

namespace {

/// As Pillow rounds: half a number is added before.
std::int32_t whole_part(double number) {
  return static_cast<std::int32_t>(number);
}

/// The weights of one pixel whose middle is at `center` of the source, `reach` pixels to either
/// side.
Filter::Span fill_weights(double center, double reach, int from, std::vector<double>& shares,
                          std::int32_t* weights) {
  // In this order and precision Pillow computes them: sums that are a half must round alike.
  const int begin = std::max(0, whole_part(center - reach + 0.5));
  const int end = std::min(from, whole_part(center + reach + 0.5));
  const double scale = 1.0 / reach;
  double total = 0;
  shares.clear();
  for (int at = begin; at < end; ++at) {
    shares.push_back(std::max(0.0, 1.0 - std::abs((at - center + 0.5) * scale)));
    total += shares.back();
  }
  for (std::size_t at = 0; at < shares.size(); ++at) {
    const double share = total != 0 ? shares[at] / total : 0;
    weights[at] = whole_part(0.5 + share * (1 << Filter::bits));
  }
  int count = end - begin;
  while (count > 1 && weights[count - 1] == 0) --count;  // the edges of a triangle
  return {begin, count};
}

}  // namespace

Filter make_filter(int from, int to, bool reversed) {
  const double scale = static_cast<double>(from) / to;
  const double reach = std::max(scale, 1.0);
  Filter filter;
  filter.width = (static_cast<std::size_t>(std::ceil(reach)) * 2 + 1 + 3) / 4 * 4;
  filter.spans.resize(static_cast<std::size_t>(to));
  filter.weights.resize(filter.spans.size() * filter.width);
  std::vector<double> shares;
  for (int pixel = 0; pixel < to; ++pixel) {
    const auto place = static_cast<std::size_t>(reversed ? to - 1 - pixel : pixel);
    filter.spans[place] = fill_weights((pixel + 0.5) * scale, reach, from, shares,
                                       filter.weights.data() + place * filter.width);
  }
  return filter;
}

}  // namespace trainmark::data
