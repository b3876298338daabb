#include "engine/steps.h"

#include <ATen/ops/zeros.h>
#include <fcntl.h>
#include <gtest/gtest.h>

#include <csignal>
#include <cstdlib>

#include "common/requests.h"

namespace trainmark::train {
namespace {

/// Three steps with an interlude after each. The stop is asked for in the second.
int interludes_before_a_stop() {
  listen_for_requests();
  World world;
  EventWriter events(open("/dev/null", O_WRONLY), EventWriter::Form::events);
  int steps = 0;
  int interludes = 0;
  StepLoop loop{.world = world, .events = events, .items = 1, .most = 3, .step = [&] {
                  if (++steps == 2) std::raise(SIGUSR1);
                  return at::zeros({1});
                }};
  loop.is_due = [](std::int64_t) { return true; };
  loop.interlude = [&] { ++interludes; };
  return do_steps(loop).stopped && steps == 2 ? interludes : -1;
}

TEST(Steps, AStopDoesNotWaitForAnEvaluation) {
  EXPECT_EXIT(std::_Exit(interludes_before_a_stop()), testing::ExitedWithCode(1), "");
}

}  // namespace
}  // namespace trainmark::train
