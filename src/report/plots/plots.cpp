#include "report/plots/plots.h"

#include <algorithm>
#include <map>

#include "base/text.h"
#include "report/content/figures.h"
#include "report/plots/axis.h"
#include "report/writing/svg.h"
#include "report/writing/table.h"

namespace trainmark {

namespace {

constexpr double bar_row = 34;
constexpr double bar_left = 210;
constexpr double bar_right = 190;  // for the figure beside the bar
constexpr std::size_t most_bars = 16;

/// Of each framework the fastest, at the scale that has most frameworks (the smallest of those).
std::vector<const Result*> ranked(const PrecisionGroup& group) {
  std::map<std::pair<int, Scale>, std::map<std::string, const Result*>> by_scale;
  for (const Result* result : group.results) {
    if (result->runs.empty()) continue;
    const Result*& best =
        by_scale[{result->cell.scale.ranks(), result->cell.scale}][result->cell.framework];
    if (best == nullptr || result->throughput.value > best->throughput.value) best = result;
  }
  std::vector<const Result*> list;
  for (const auto& [scale, results] : by_scale) {
    if (results.size() <= list.size()) continue;
    list.clear();
    for (const auto& [framework, result] : results) list.push_back(result);
  }
  std::sort(list.begin(), list.end(), [](const Result* a, const Result* b) {
    return a->throughput.value > b->throughput.value;
  });
  if (list.size() > most_bars) list.resize(most_bars);
  return list;
}

void draw_bar(Svg& svg, const Result& result, const Axis& axis, double y) {
  const double end = axis.place(result.throughput.value);
  svg.text(bar_left - 10, y + 12, shortened(result.cell.framework, 28, true), Svg::Anchor::end,
           true);
  svg.text(bar_left - 10, y + 26,
           fmt::format("b{} · {}", result.cell.batch, result.cell.scale.text()), Svg::Anchor::end,
           false, Svg::quiet);
  svg.rectangle(bar_left, y + 4, end - bar_left, 20, framework_colour(result.cell), 0.85);
  double beside = end;
  const Interval& interval = result.throughput.interval;
  if (relative_interval(result)) {
    const double low = axis.place(std::max(0.0, interval.low));
    const double high = axis.place(std::min(interval.high, axis.to));
    svg.line(low, y + 14, high, y + 14, Svg::ink, 1.5);
    svg.line(low, y + 9, low, y + 19, Svg::ink, 1.5);
    // One that leaves the plot has no cap: it goes on.
    if (interval.high <= axis.to) svg.line(high, y + 9, high, y + 19, Svg::ink, 1.5);
    beside = std::max(beside, high);
  }
  const std::string_view mark = result.verdicts.empty() ? "" : "  (!)";
  svg.text(beside + 8, y + 18,
           fmt::format("{}  {}{}", throughput_text(result), interval_text(result, true), mark));
}

/// The longest bar with its whisker. A wild interval must not squeeze all bars.
double longest_end(const std::vector<const Result*>& results) {
  constexpr double widest_whisker = 1.35;
  const double longest = results.front()->throughput.value;
  double end = longest;
  for (const Result* result : results) {
    if (relative_interval(*result))
      end = std::max(end, std::min(result->throughput.interval.high, widest_whisker * longest));
  }
  return end;
}

}  // namespace

std::string_view framework_colour(const Cell& cell) {
  static const std::map<std::string, std::size_t, std::less<>> hues = {
      {"libtorch", 0}, {"pytorch", 5}, {"tensorflow", 1}, {"jax", 2}, {"paddle", 3}, {"mxnet", 4}};
  const auto known = hues.find(cell.framework_name());
  return Svg::series(known == hues.end() ? 6 : known->second);
}

std::string ranking_plot(const WorkloadGroup& group, const PrecisionGroup& precision) {
  const std::vector<const Result*> results = ranked(precision);
  if (results.empty()) return "";
  const double height = 44 + bar_row * static_cast<double>(results.size());
  Svg svg(plot_width, height);
  svg.text(16, 24, fmt::format("{} {}, {}/s", group.title(), precision.precision, group.unit),
           Svg::Anchor::start, true);
  const Axis axis{0, longest_end(results), bar_left, plot_width - bar_right};
  double y = 36;
  for (const Result* result : results) {
    draw_bar(svg, *result, axis, y);
    y += bar_row;
  }
  return svg.finished(group.title() + " " + precision.precision);
}

}  // namespace trainmark
