#include "report/content/change_text.h"

#include <fmt/format.h>

#include <cmath>

namespace trainmark {

namespace {

constexpr double most_percent = 1000;  // an end of an interval beyond it says no more than that

std::string percent(double ratio, bool unicode) {
  const double change = (ratio - 1) * 100;
  if (!std::isfinite(change)) return "?";
  std::string text = fmt::format("{:+.2f}", change);
  if (text == "-0.00") text = "+0.00";
  // A true minus sign is as wide as the plus, so that columns stand straight.
  if (unicode && text[0] == '-') text.replace(0, 1, "−");
  return text;
}

}  // namespace

std::string change_text(double ratio, bool unicode) {
  return ratio > 0 ? percent(ratio, unicode) + " %" : "-";
}

std::string change_interval_text(const Comparison& comparison, bool unicode) {
  const Interval& interval = comparison.interval;
  if (comparison.ratio <= 0 || !std::isfinite(interval.high)) return "?";
  const std::string high = (interval.high - 1) * 100 > most_percent
                               ? fmt::format("> +{:.0f}", most_percent)
                               : percent(interval.high, unicode);
  return fmt::format("{} {} {} %", percent(interval.low, unicode), unicode ? "…" : "..", high);
}

}  // namespace trainmark
