#include "report/plots/quality_plot.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/text.h"
#include "report/content/quality.h"
#include "report/plots/axis.h"
#include "report/plots/plots.h"

namespace trainmark {

namespace {

constexpr double plot_left = 80, plot_top = 44, plot_right = plot_width - 20, plot_bottom = 320;

struct Extent {
  double least = std::numeric_limits<double>::infinity();
  double most = -std::numeric_limits<double>::infinity();

  void take(double value) {
    if (!std::isfinite(value)) return;
    least = std::min(least, value);
    most = std::max(most, value);
  }
};

/// What is along the x axis.
struct Along {
  const char* name;
  Word title;
  double (*value)(const Evaluation&);
};

const Along over_time{"time", Word::quality_axis_time,
                      [](const Evaluation& evaluation) { return evaluation.at; }};
const Along over_samples{"samples", Word::quality_axis_samples,
                         [](const Evaluation& evaluation) { return evaluation.samples; }};

void draw_curve(Svg& svg, const QualityOutcome& outcome, const Along& along, const Axis& x,
                const Axis& y, std::string_view colour, bool dashed) {
  Svg::Points way;
  for (const Evaluation& evaluation : outcome.curve)
    if (std::isfinite(evaluation.quality) && std::isfinite(along.value(evaluation)))
      way.emplace_back(x.place(along.value(evaluation)), y.place(evaluation.quality));
  svg.lines(way, colour, dashed);
  if (!way.empty()) svg.dot(way.back().first, way.back().second, colour);
}

void draw_along(Svg& svg, const Axis& x, const std::string& title) {
  constexpr int parts = 4;
  for (int i = 0; i <= parts; ++i) {
    const double value = x.to * i / parts;
    svg.text(x.place(value), plot_bottom + 18, figure(value), Svg::Anchor::middle, false,
             Svg::quiet);
  }
  svg.text((plot_left + plot_right) / 2, plot_bottom + 36, title, Svg::Anchor::middle, false,
           Svg::quiet);
}

/// The curves of one group along one axis; empty where there is nothing to draw.
std::string draw(const std::vector<const Result*>& group, const std::string& title,
                 const Along& along, Language language) {
  Extent across, up;
  for (const Result* result : group) {
    up.take(result->quality->target);
    for (const RunRecord* run : result->quality->runs)
      for (const Evaluation& evaluation : run->quality->curve) {
        across.take(along.value(evaluation));
        up.take(evaluation.quality);
      }
  }
  if (!(across.most > 0) || !(up.most > up.least)) return "";
  const double room = 0.06 * (up.most - up.least);
  const Axis x{0, across.most * 1.03, plot_left, plot_right};
  const Axis y{up.least - room, up.most + room, plot_bottom, plot_top};
  Svg svg(plot_width, plot_bottom + 60 + 18 * static_cast<double>(group.size()));
  svg.text(16, 24, title, Svg::Anchor::start, true);
  draw_values(svg, y, plot_left, plot_right);
  draw_along(svg, x, std::string(say(along.title, language)));
  const double target = y.place(group.front()->quality->target);
  svg.line(plot_left, target, plot_right, target, Svg::ink, 1, true);
  std::size_t place = 0;
  for (const Result* result : group) {
    const Cell& cell = result->cell;
    const std::string_view colour = framework_colour(cell);
    const bool dashed = cell.precision != "fp32";
    for (const RunRecord* run : result->quality->runs)
      draw_curve(svg, *run->quality, along, x, y, colour, dashed);
    const double line = plot_bottom + 58 + 18 * static_cast<double>(place++);
    svg.line(plot_left, line - 4, plot_left + 16, line - 4, colour, 3, dashed);
    svg.text(plot_left + 24, line, fmt::format("{} {}", cell.framework, cell.precision));
  }
  return svg.finished(title);
}

}  // namespace

std::vector<QualityPlot> quality_plots(const std::vector<Result>& results, Language language) {
  std::vector<QualityPlot> plots;
  for (const std::vector<const Result*>& group : quality_groups(results)) {
    const Cell& cell = group.front()->cell;
    const std::string what = fmt::format("{}:{} {} b{} {}", cell.workload, cell.model_text(),
                                         cell.data, cell.batch, cell.scale.text());
    for (const Along* along : {&over_time, &over_samples}) {
      const std::string title = fmt::format("{}: {}", what, group.front()->quality->metric);
      std::string svg = draw(group, title, *along, language);
      if (!svg.empty())
        plots.push_back({fmt::format("quality-{}-{}", along->name, what), title, std::move(svg)});
    }
  }
  return plots;
}

}  // namespace trainmark
