#include "base/time.h"

#include <gtest/gtest.h>

#include "base/text.h"

namespace trainmark {
namespace {

TEST(Time, MonotonicNeverGoesBack) {
  double last = monotonic_seconds();
  for (int i = 0; i < 1000; ++i) {
    const double now = monotonic_seconds();
    EXPECT_GE(now, last);
    last = now;
  }
}

TEST(Time, Formats) {
  const std::string now = utc_now();
  EXPECT_EQ(now.size(), std::string("2026-11-15T04:13:28Z").size()) << now;
  EXPECT_TRUE(glob_match("20*-*-*T*:*:*Z", now)) << now;
  const std::string stamp = file_stamp();
  EXPECT_EQ(stamp.size(), std::string("20261115-041328").size()) << stamp;
  EXPECT_TRUE(glob_match("20*-*", stamp)) << stamp;
}

}  // namespace
}  // namespace trainmark
