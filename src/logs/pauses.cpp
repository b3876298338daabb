#include "logs/pauses.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "base/text.h"
#include "base/verdict_names.h"

namespace trainmark {

namespace {

constexpr double far_slower = 4;       // times the usual time of an item
constexpr double worth_saying = 0.03;  // of the figure

double steps_of(const Record& record) {
  return positive(record.steps) ? record.steps : record.weight;
}

}  // namespace

void find_pauses(LogFigure& figure, const Series& series, Window window, double factor) {
  const auto steps = std::span(series.steps).subspan(window.first, window.size());
  std::vector<double> paces;
  for (const Step& step : steps) paces.push_back(step.seconds / step.items);
  const double usual = median(paces);
  double items = 0;
  double seconds = 0;
  std::size_t pauses = 0;
  for (std::size_t i = 0; i < steps.size(); ++i) {
    if (paces[i] > far_slower * usual) {
      ++pauses;
      continue;
    }
    items += steps[i].items;
    seconds += steps[i].seconds;
  }
  if (pauses == 0 || !positive(seconds)) return;
  figure.without_pauses = factor * items / seconds;
  if (figure.without_pauses < (1 + worth_saying) * figure.throughput) return;
  figure.verdicts.push_back(
      {verdicts::pauses,
       fmt::format("{} took more than {:g} times as long as the others, for an evaluation or a "
                   "checkpoint: without them it is {}",
                   counted(pauses, "record"), far_slower,
                   trainmark::figure(figure.without_pauses))});
}

void describe_quality(LogFigure& figure, const LogRun& run, std::span<const Record> records) {
  figure.quality = run.quality;
  double input = 0;
  double seconds = 0;
  double mfu = 0;
  double steps_with_mfu = 0;
  for (std::size_t i = records.size() / 10; i < records.size(); ++i) {
    const Record& record = records[i];
    const double steps = steps_of(record);
    // Rounded means may leave less than nothing for a stretch; the sum is right.
    if (std::isfinite(record.input) && positive(record.seconds)) {
      input += record.input * steps;
      seconds += record.seconds * steps;
    }
    if (positive(record.mfu)) {
      mfu += record.mfu * steps;
      steps_with_mfu += steps;
    }
  }
  if (positive(seconds)) figure.input_share = std::fmax(0, input / seconds);
  if (positive(steps_with_mfu)) figure.mfu = mfu / steps_with_mfu;
  for (const Record& record : records) figure.memory = std::fmax(figure.memory, record.memory);
  const auto last = std::find_if(records.rbegin(), records.rend(),
                                 [](const Record& record) { return record.has_loss; });
  if (last != records.rend()) figure.quality.insert_or_assign("loss", last->loss);
}

}  // namespace trainmark
