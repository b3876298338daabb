#include "measure/trend.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "measure/statistics.h"

namespace trainmark {

Trend find_trend(std::span<const double> seconds) {
  // Medians of blocks: single stalls do not tilt the line, and correlated steps fall into one
  // block.
  constexpr std::size_t most_blocks = 20;
  const std::size_t blocks = std::min(most_blocks, seconds.size());
  if (blocks < 6) return {};
  std::vector<double> levels;
  for (std::size_t block = 0; block < blocks; ++block) {
    const std::size_t first = block * seconds.size() / blocks;
    const std::size_t last = (block + 1) * seconds.size() / blocks;
    levels.push_back(median(seconds.subspan(first, last - first)));
  }

  const double level = mean(levels);
  if (!(level > 0)) return {};
  const auto count = static_cast<double>(blocks);
  const double middle = (count - 1) / 2;
  double product = 0;
  double squares = 0;
  for (std::size_t block = 0; block < blocks; ++block) {
    const double place = static_cast<double>(block) - middle;
    product += place * (levels[block] - level);
    squares += place * place;
  }
  const double slope = product / squares;
  double rest = 0;
  for (std::size_t block = 0; block < blocks; ++block) {
    const double off = levels[block] - level - slope * (static_cast<double>(block) - middle);
    rest += off * off;
  }
  const double error = std::sqrt(rest / (count - 2) / squares);
  // One false alarm in a thousand runs of independent noise; the surplus is for correlated noise.
  const bool significant = std::abs(slope) > student_t_quantile(0.9995, count - 2) * error;
  return {slope * count / level, significant};
}

}  // namespace trainmark
