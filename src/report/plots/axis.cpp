#include "report/plots/axis.h"

#include <cmath>
#include <cstdint>

#include "base/text.h"

namespace trainmark {

namespace {

/// Steps of 1, 2 or 5 that divide an axis into about five.
double step_of(double span) {
  const double raw = span / 5;
  const double power = std::pow(10, std::floor(std::log10(raw)));
  for (const double factor : {1.0, 2.0, 5.0})
    if (raw <= factor * power) return factor * power;
  return 10 * power;
}

}  // namespace

void draw_values(Svg& svg, const Axis& axis, double left, double right) {
  const double step = step_of(axis.to - axis.from);
  const auto last = static_cast<std::int64_t>(std::floor(axis.to / step));
  for (auto i = static_cast<std::int64_t>(std::ceil(axis.from / step)); i <= last; ++i) {
    const double value = static_cast<double>(i) * step;
    const double y = axis.place(value);
    svg.line(left, y, right, y, Svg::faint);
    svg.text(left - 8, y + 4, figure(value), Svg::Anchor::end, false, Svg::quiet);
  }
}

}  // namespace trainmark
