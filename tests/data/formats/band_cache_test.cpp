#include "data/formats/band_cache.h"

#include <gtest/gtest.h>

namespace trainmark::data {
namespace {

class BandCaches : public testing::Test {
 protected:
  /// Whether the band had to be made.
  bool makes(std::uint64_t band, std::size_t bytes = 40) {
    bool made = false;
    const auto got = cache_.get({this, band}, [&] {
      made = true;
      return Bytes(bytes, static_cast<std::uint8_t>(band));
    });
    EXPECT_EQ(*got, Bytes(bytes, static_cast<std::uint8_t>(band)));
    return made;
  }
  BandCache cache_{100};
};

TEST_F(BandCaches, KeepTheLatestUsed) {
  EXPECT_TRUE(makes(1));
  EXPECT_TRUE(makes(2));
  EXPECT_FALSE(makes(1));
  EXPECT_TRUE(makes(3));  // 2 goes: 1 was used after it
  EXPECT_FALSE(makes(1));
  EXPECT_FALSE(makes(3));
  EXPECT_TRUE(makes(2));
}

TEST_F(BandCaches, DoNotKeepWhatIsLargerThanThey) {
  EXPECT_TRUE(makes(1, 101));
  EXPECT_TRUE(makes(1, 101));
}

TEST_F(BandCaches, KeepNothingOfWhatCouldNotBeMade) {
  EXPECT_THROW(cache_.get({this, 1}, []() -> Bytes { throw std::runtime_error("no"); }),
               std::runtime_error);
  EXPECT_TRUE(makes(1));
}

}  // namespace
}  // namespace trainmark::data
