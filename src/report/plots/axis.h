#pragma once

#include "report/writing/svg.h"

namespace trainmark {

constexpr double plot_width = 760;

/// Where values lie on the paper.
struct Axis {
  double from, to;    // values
  double begin, end;  // places
  double place(double value) const { return begin + (end - begin) * (value - from) / (to - from); }
};

/// Lines across the plot at round values, each with its figure on the left.
void draw_values(Svg& svg, const Axis& axis, double left, double right);

}  // namespace trainmark
