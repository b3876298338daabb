#include "logs/series.h"

#include <gtest/gtest.h>

namespace trainmark {
namespace {

/// Records of a rate; the first ones are slow.
Series series_of(int count, int slow, double times) {
  std::vector<Record> records;
  for (int i = 0; i < count; ++i) {
    Record record;
    record.step = i;
    record.rate = (100 + i % 3) / (i < slow ? times : 1);
    record.seconds = 1 / record.rate;
    records.push_back(record);
  }
  return make_series(records);
}

TEST(Series, AllRecordsOfASlowStartAreCut) {
  for (const int slow : {1, 2, 3, 4})
    EXPECT_GE(steady_window(series_of(14, slow, 1.3)).window.first, static_cast<std::size_t>(slow));
}

TEST(Series, NoMoreThanHalfIsCut) {
  const SeriesWindow found = steady_window(series_of(5, 1, 20));
  EXPECT_EQ(found.window.first, 2U);
  EXPECT_EQ(found.window.last, 5U);
}

}  // namespace
}  // namespace trainmark
