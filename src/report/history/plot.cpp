#include "report/history/plot.h"

#include <algorithm>
#include <cmath>

#include "report/plots/axis.h"
#include "report/writing/svg.h"

namespace trainmark {

std::string history_plot(const HistoryInput& input, const CellHistory& cell) {
  constexpr double left = 80, top = 44, right = plot_width - 20, bottom = 240;
  const double last = static_cast<double>(input.journals.size() - 1);
  const Axis times{0, std::max(1.0, last), left + 16, right - 16};
  double low = cell.results.front()->throughput.value, high = low;
  for (const Result* result : cell.results) {
    low = std::min(low, result->throughput.value);
    high = std::max(high, result->throughput.value);
  }
  for (const HistoryPart& part : cell.changes.parts) {
    if (!std::isfinite(part.band.high)) continue;
    // A band from few results may be wild: it may take twice the room of the results.
    low = std::max(std::min(low, throughput_of(part.band.high)), low * 0.5);
    high = std::min(std::max(high, throughput_of(part.band.low)), high * 2);
  }
  const double room = std::max(high - low, 0.02 * high) * 0.1;
  const Axis values{low - room, high + room, bottom, top};
  Svg svg(plot_width, bottom + 36);
  svg.text(16, 24, fmt::format("{}, {}/s", cell.cell.key(), cell.unit), Svg::Anchor::start, true);
  draw_values(svg, values, left, right);
  const auto x_of = [&](std::size_t at) {
    return times.place(static_cast<double>(cell.journals[at]));
  };
  const auto y_of = [&](double value) { return std::clamp(values.place(value), top, bottom); };
  for (const HistoryPart& part : cell.changes.parts) {
    const double begin = x_of(part.first) - 6, end = x_of(part.end - 1) + 6;
    if (std::isfinite(part.band.high)) {
      const double from = y_of(throughput_of(part.band.low));
      svg.rectangle(begin, from, end - begin, y_of(throughput_of(part.band.high)) - from,
                    Svg::series(2), 0.16);
    }
    const double middle = y_of(throughput_of(part.mean));
    svg.line(begin, middle, end, middle, Svg::series(2), 1.5);
  }
  for (const ChangePoint& change : cell.changes.changes) {
    const double x = (x_of(change.at - 1) + x_of(change.at)) / 2;
    svg.line(x, top, x, bottom, Svg::series(5), 1.5, true);
    const bool on_the_right = x > plot_width / 2;  // then its words are on the left
    svg.text(on_the_right ? x - 4 : x + 4, top + 12, change_point_text(input, cell, change, true),
             on_the_right ? Svg::Anchor::end : Svg::Anchor::start, true, Svg::series(5));
  }
  for (std::size_t i = 0; i < cell.results.size(); ++i)
    svg.dot(x_of(i), values.place(cell.results[i]->throughput.value), Svg::series(0));
  svg.text(left, bottom + 22, input.journals.front().started, Svg::Anchor::start, false,
           Svg::quiet);
  svg.text(right, bottom + 22, input.journals.back().started, Svg::Anchor::end, false, Svg::quiet);
  return svg.finished(cell.cell.key());
}

}  // namespace trainmark
