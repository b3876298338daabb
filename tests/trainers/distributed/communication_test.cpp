#include <gtest/gtest.h>

#include "distributed/communication_meter.h"

namespace trainmark::train {
namespace {

TEST(Communication, CollectivesAtTheSameTimeCountOnce) {
  const Communication none = communication_of({}, {});
  EXPECT_EQ(none.under_way_ns, 0);
  EXPECT_EQ(none.exposed_ns, 0);
  const Communication some =
      communication_of({{10, 30}, {20, 25}, {28, 40}, {50, 60}}, {{35, 40}, {55, 60}});
  EXPECT_EQ(some.under_way_ns, 40);
  EXPECT_EQ(some.exposed_ns, 10);
}

TEST(Communication, EventsMayBeReadInTheTimeOfTheFirst) {
  // A GPU's times begin at its first event, and rounding may put another one before it.
  EXPECT_EQ(communication_of({{0, 5}, {-1, 7}}, {}).under_way_ns, 7);
  EXPECT_EQ(communication_of({{0, -1}}, {{3, 2}}).under_way_ns, 0);
  EXPECT_EQ(communication_of({{0, -1}}, {{3, 2}}).exposed_ns, 0);
}

TEST(HostMeter, StepsAreTakenInTheirOrder) {
  const auto meter = make_host_meter();
  EXPECT_FALSE(meter->take());
  meter->before_wait();
  meter->after_wait();
  meter->end_step();
  meter->end_step();
  const auto first = meter->take();
  const auto second = meter->take();
  ASSERT_TRUE(first && second);
  EXPECT_GT(first->exposed_ns, 0);
  EXPECT_EQ(second->exposed_ns, 0);
  EXPECT_FALSE(meter->take());
}

}  // namespace
}  // namespace trainmark::train
