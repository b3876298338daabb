#include <gtest/gtest.h>

#include <limits>
#include <nlohmann/json.hpp>

#include "bench/running_figure.h"
#include "bench/step_source.h"
#include "protocol/event_lines.h"

namespace trainmark {
namespace {

std::string line_of(int index, double end, double seconds = 1) {
  return step_line({index, end, seconds, 8, 0, false}, std::numeric_limits<double>::quiet_NaN());
}

TEST(EventSource, BringsTheClocksOfAllHostsTogether) {
  const auto source = event_source(2);
  for (int step = 0; step < 3; ++step) {
    source->receive(0, Stream::events, line_of(step, 100 + step));
    source->receive(1, Stream::events, line_of(step, 5100.25 + step));
  }
  source->place({{"here", 0}, {"there", -5000}});
  const std::vector<Step> steps = source->steps();
  ASSERT_EQ(steps.size(), 3U);
  EXPECT_DOUBLE_EQ(steps[0].end, 100.25);
  EXPECT_DOUBLE_EQ(steps[2].end, 102.25);
  EXPECT_DOUBLE_EQ(steps[0].items, 16);
}

TEST(EventSource, TellsThePeakOfTheRankThatNeedsMost) {
  const auto source = event_source(3);
  const std::int64_t device[] = {200, 900, 300};
  for (std::size_t rank = 0; rank < 3; ++rank)
    source->receive(rank, Stream::events, event_line(memory_event(50, device[rank])));
  RunRecord record;
  std::vector<RankOutcome> outcomes(3);
  outcomes[0].peak_bytes = 70;
  source->describe(record, outcomes);
  EXPECT_EQ(record.peak_device_bytes, 900);
  EXPECT_EQ(record.peak_host_bytes, 70);
}

TEST(RunningFigure, KnowsTheLongestOfTheLastSteps) {
  const auto source = event_source(1);
  double end = 0;
  for (int step = 0; step < 40; ++step) {
    const double seconds = step == 2 ? 500 : step == 30 ? 4 : 1;
    source->receive(0, Stream::events, line_of(step, end += seconds, seconds));
  }
  const RuleKind& rule = *Registry<RuleKind>::find("fixed");
  RunningFigure figure(rule.make(complete(rule, {})));
  figure.look(*source);
  EXPECT_DOUBLE_EQ(figure.longest_step(), 4) << "what compiled at the start is long ago";
}

}  // namespace
}  // namespace trainmark
