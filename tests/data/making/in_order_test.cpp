#include "data/making/in_order.h"

#include <gtest/gtest.h>

#include <atomic>
#include <numeric>
#include <stdexcept>
#include <vector>

namespace trainmark::data {
namespace {

class InOrder : public testing::TestWithParam<int> {};

TEST_P(InOrder, ResultsOfThreadsComeInTheirOrderAndOnce) {
  const int threads = GetParam();
  std::vector<std::int64_t> places(places_for(threads));
  std::vector<std::int64_t> taken;
  std::atomic<bool> strange = false;
  in_order(
      1000, threads,
      [&](int worker, std::int64_t index, std::size_t place) {
        if (worker < 0 || worker >= threads || place >= places.size()) strange = true;
        places[place] = index * index;
      },
      [&](std::int64_t index, std::size_t place) {
        if (places[place] != index * index) strange = true;
        taken.push_back(index);
      });
  EXPECT_FALSE(strange);
  std::vector<std::int64_t> all(1000);
  std::iota(all.begin(), all.end(), 0);
  EXPECT_EQ(taken, all);
}

INSTANTIATE_TEST_SUITE_P(Threads, InOrder, testing::Values(1, 2, 7));

TEST(InOrder, NothingIsMadeOfNothing) {
  in_order(
      0, 2, [](int, std::int64_t, std::size_t) { FAIL(); },
      [](std::int64_t, std::size_t) { FAIL(); });
}

TEST(InOrder, TheFirstFailureIsThrownAfterWhatWasBeforeIt) {
  std::int64_t taken = 0;
  const auto fail_at_50 = [](int, std::int64_t index, std::size_t) {
    if (index >= 50) throw std::runtime_error(std::to_string(index));
  };
  try {
    in_order(1000, 3, fail_at_50, [&](std::int64_t, std::size_t) { ++taken; });
    FAIL();
  } catch (const std::runtime_error& error) {
    EXPECT_STREQ(error.what(), "50");
  }
  EXPECT_EQ(taken, 50);
}

TEST(InOrder, WhoeverTakesCanEndIt) {
  std::atomic<std::int64_t> made = 0;
  EXPECT_THROW(in_order(
                   1'000'000, 2, [&](int, std::int64_t, std::size_t) { ++made; },
                   [](std::int64_t index, std::size_t) {
                     if (index == 10) throw std::runtime_error("enough");
                   }),
               std::runtime_error);
  EXPECT_LE(made, 11 + static_cast<std::int64_t>(places_for(2)));
}

}  // namespace
}  // namespace trainmark::data
