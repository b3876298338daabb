// Throughput and efficiency over the number of processes, as the page for browsers draws them: with
// logarithmic axes a constant efficiency is a straight line, and few processes have as much room.

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <tuple>

#include "base/text.h"
#include "report/plots/axis.h"
#include "report/plots/plots.h"
#include "report/writing/svg.h"

namespace trainmark {

namespace {

constexpr double scaling_left = 80, scaling_right = plot_width - 20;
constexpr double rates_top = 44, rates_bottom = 264;
constexpr double shares_top = 316, shares_bottom = 416;
constexpr double highest_share = 110;  // per cent; what is better still is drawn at the top

using ScalingLines = std::map<std::tuple<std::string, int, int>, std::map<int, const Result*>>;

/// Of each framework, batch and accumulation the results by ranks; only those with several.
ScalingLines scaling_lines(const PrecisionGroup& group) {
  ScalingLines lines;
  for (const Result* result : group.results) {
    const Cell& cell = result->cell;
    if (!result->runs.empty() && result->throughput.value > 0)
      lines[{cell.framework, cell.batch, cell.accumulate}][cell.scale.ranks()] = result;
  }
  std::erase_if(lines, [](const auto& line) { return line.second.size() < 2; });
  return lines;
}

/// Where powers are: equal ratios have equal distances.
Axis logarithmic(double from, double to, double begin, double end) {
  return {std::log(from), std::log(to), begin, end};
}

double log_place(const Axis& axis, double value) {
  return axis.place(std::log(value));
}

/// Lines at 1, 2 and 5 times the powers of ten.
void draw_powers(Svg& svg, const Axis& axis) {
  const double least = std::exp(axis.from), most = std::exp(axis.to);
  const int first = static_cast<int>(std::floor(std::log10(least)));
  for (int exponent = first; std::pow(10, exponent) <= most; ++exponent) {
    const double power = std::pow(10, exponent);
    for (const double value : {power, 2 * power, 5 * power}) {
      if (value < least || value > most) continue;
      const double y = log_place(axis, value);
      svg.line(scaling_left, y, scaling_right, y, Svg::faint);
      svg.text(scaling_left - 8, y + 4, figure(value), Svg::Anchor::end, false, Svg::quiet);
    }
  }
}

struct ScalingExtent {
  double least, most;
  int least_ranks, most_ranks;
};

/// Of the figures and of their ideal lines.
ScalingExtent extent_of(const ScalingLines& lines) {
  const auto& [first_ranks, first] = *lines.begin()->second.begin();
  ScalingExtent extent{first->throughput.value, first->throughput.value, first_ranks, first_ranks};
  for (const auto& [key, points] : lines) {
    const auto& [fewest, of_fewest] = *points.begin();
    const int most_ranks = points.rbegin()->first;
    extent.most = std::max(extent.most, of_fewest->throughput.value * most_ranks / fewest);
    for (const auto& [ranks, result] : points) {
      extent.least = std::min(extent.least, result->throughput.value);
      extent.most = std::max(extent.most, result->throughput.value);
    }
    extent.least_ranks = std::min(extent.least_ranks, fewest);
    extent.most_ranks = std::max(extent.most_ranks, most_ranks);
  }
  return extent;
}

void draw_rates(Svg& svg, const std::map<int, const Result*>& points, const Axis& ranks,
                const Axis& rates, int most_ranks) {
  const auto& [first_ranks, first] = *points.begin();
  const std::string_view colour = framework_colour(first->cell);
  const double one = first->throughput.value / first_ranks;
  svg.line(log_place(ranks, first_ranks), log_place(rates, first->throughput.value),
           log_place(ranks, most_ranks), log_place(rates, one * most_ranks), colour, 1, true);
  Svg::Points way;
  for (const auto& [count, result] : points) {
    way.emplace_back(log_place(ranks, count), log_place(rates, result->throughput.value));
    svg.dot(way.back().first, way.back().second, colour);
  }
  svg.lines(way, colour);
}

void draw_shares(Svg& svg, const std::map<int, const Result*>& points, const Axis& ranks,
                 const Axis& shares) {
  const std::string_view colour = framework_colour(points.begin()->second->cell);
  Svg::Points way;
  for (const auto& [count, result] : points) {
    if (!result->efficiency) continue;
    way.emplace_back(log_place(ranks, count),
                     shares.place(std::min(100 * *result->efficiency, highest_share)));
    svg.dot(way.back().first, way.back().second, colour);
  }
  svg.lines(way, colour);
}

bool has_efficiency(const ScalingLines& lines) {
  return std::any_of(lines.begin(), lines.end(), [](const auto& line) {
    return std::any_of(line.second.begin(), line.second.end(),
                       [](const auto& point) { return point.second->efficiency.has_value(); });
  });
}

}  // namespace

std::string scaling_plot(const WorkloadGroup& group, const PrecisionGroup& precision,
                         Language language) {
  const ScalingLines lines = scaling_lines(precision);
  if (lines.empty()) return "";
  const ScalingExtent extent = extent_of(lines);
  const bool with_shares = has_efficiency(lines);
  const double bottom = with_shares ? shares_bottom : rates_bottom;
  Svg svg(plot_width, bottom + 56 + 18 * static_cast<double>(lines.size()));
  svg.text(16, 24,
           fmt::format("{} {}: {}, {}/s", group.title(), precision.precision,
                       say(Word::scaling_heading, language), group.unit),
           Svg::Anchor::start, true);
  const Axis rates = logarithmic(extent.least / 1.05, extent.most * 1.05, rates_bottom, rates_top);
  const Axis ranks =
      logarithmic(extent.least_ranks / 1.1, extent.most_ranks * 1.05, scaling_left, scaling_right);
  const Axis shares{0, highest_share, shares_bottom, shares_top};
  draw_powers(svg, rates);
  if (with_shares) {
    svg.text(16, shares_top - 14, fmt::format("{}, %", say(Word::efficiency, language)));
    draw_values(svg, shares, scaling_left, scaling_right);
    svg.line(scaling_left, shares.place(100), scaling_right, shares.place(100), Svg::quiet, 1,
             true);
  }
  std::set<int> counts;
  std::size_t place = 0;
  for (const auto& [key, points] : lines) {
    draw_rates(svg, points, ranks, rates, extent.most_ranks);
    if (with_shares) draw_shares(svg, points, ranks, shares);
    for (const auto& [count, result] : points) counts.insert(count);
    const double y = bottom + 44 + 18 * static_cast<double>(place++);
    svg.rectangle(scaling_left, y - 9, 14, 10, framework_colour(points.begin()->second->cell));
    svg.text(scaling_left + 22, y, fmt::format("{} b{}", std::get<0>(key), std::get<1>(key)));
  }
  for (const int count : counts)
    svg.text(log_place(ranks, count), bottom + 18, std::to_string(count), Svg::Anchor::middle,
             false, Svg::quiet);
  return svg.finished(group.title() + " " + precision.precision);
}

}  // namespace trainmark
