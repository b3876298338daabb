// Which factor of time to quality differs: samples needed, or seconds per sample.

#include "report/comparison/comparison.h"
#include "report/content/figures.h"
#include "report/content/quality.h"

namespace trainmark {

namespace {

TableCell factor_cell(const FactorComparison& factor, std::string answer) {
  const Tone tone = factor.answer == Answer::faster    ? Tone::good
                    : factor.answer == Answer::slower  ? Tone::bad
                    : factor.answer == Answer::unclear ? Tone::doubtful
                                                       : Tone::plain;
  const std::string ratio = ratio_interval_text(factor);
  return {ratio == "-" ? std::move(answer) : fmt::format("{}: {}", answer, ratio), tone};
}

std::string reached_text(const Result& result, Language language) {
  const TimeToQuality& time = result.quality->time;
  return say(Word::quality_count, language, time.reached, time.trials);
}

}  // namespace

std::string compared_text(const ComparedCell& cell, const Result& result) {
  return cell.quality ? seconds_text(result.quality->time.seconds) : throughput_text(result);
}

Table factor_table(const ComparisonInput& input) {
  const auto title = [&](Word word) { return std::string(say(word, input.language)); };
  Table table;
  table.columns = {{title(Word::cell), Align::left, 90, 24},
                   {title(Word::quality_target), Align::right, 70, 0},
                   {title(Word::quality_reached), Align::right, 80, 0},
                   {title(Word::factor_time), Align::left, last_to_go, 0},
                   {title(Word::factor_samples), Align::left, 99, 0},
                   {title(Word::factor_speed), Align::left, 98, 0}};
  for (const ComparedCell& cell : input.cells) {
    if (!cell.quality) continue;
    const QualityComparison& quality = *cell.quality;
    const auto speed_words = [&](const FactorComparison& factor) {
      return factor_cell(factor, answer_words(factor.answer, input.language));
    };
    table.rows.push_back(
        {cell.base.cell.key(), target_text(cell.base.quality->target),
         fmt::format("{} → {}", reached_text(cell.base, input.language),
                     reached_text(cell.next, input.language)),
         speed_words(quality.seconds),
         factor_cell(quality.samples, samples_answer(quality.samples.answer, input.language)),
         speed_words(quality.seconds_per_sample)});
  }
  return table;
}

}  // namespace trainmark
