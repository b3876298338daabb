#include "data/making/picture_distance.h"

#include <gtest/gtest.h>

#include "data/formats/data_set.h"
#include "data/making/manifest.h"
#include "data/making/small_set.h"
#include "temporary_folder.h"

namespace trainmark::data {
namespace {

/// Of one colour, with noise of its own.
Picture noisy(int level, std::uint32_t seed) {
  Picture picture{8, 8, 3, {}};
  for (int i = 0; i < 8 * 8 * 3; ++i) {
    seed = seed * 1664525 + 1013904223;
    picture.pixels.push_back(static_cast<std::uint8_t>(level + static_cast<int>(seed >> 28)));
  }
  return picture;
}

PictureStatistics set_of(int level, int count, std::uint32_t first) {
  PictureStatistics set;
  for (int i = 0; i < count; ++i) set.add(noisy(level + i, first + static_cast<std::uint32_t>(i)));
  return set;
}

TEST(PictureDistance, OfASetToItselfIsNone) {
  const PictureStatistics set = set_of(100, 50, 1);
  EXPECT_NEAR(distance_between(set, set), 0, 1e-6);
}

TEST(PictureDistance, IsTheSameFromBothEndsAndGrowsWithTheDifference) {
  const PictureStatistics one = set_of(100, 50, 1), near = set_of(110, 50, 1000),
                          far = set_of(150, 50, 2000);
  EXPECT_NEAR(distance_between(one, near), distance_between(near, one), 1e-6);
  EXPECT_LT(distance_between(one, near), distance_between(one, far) / 4);
  // Three channels at three scales, each 50/127.5 brighter; their scatter is the same.
  EXPECT_NEAR(distance_between(one, far), 9 * (50 / 127.5) * (50 / 127.5), 0.05);
}

TEST(PictureDistance, OfFewPicturesKnowsThatTheirMeanIsOnlyKnownFromThem) {
  const auto pair_of = [](int one, int other) {
    PictureStatistics set;
    for (const int level : {one, other})
      set.add({8, 8, 3, std::vector<std::uint8_t>(192, static_cast<std::uint8_t>(level))});
    return set;
  };
  // Three channels at three scales, whose variance is that of two numbers 20 levels apart.
  const double variance = 2 * (10 / 127.5) * (10 / 127.5);
  EXPECT_NEAR(distance_between(pair_of(100, 100), pair_of(90, 110)), 9 * variance, 0.01);
}

TEST(Attainable, IsWholeWhereLabelsFollowFromTheItems) {
  const TemporaryFolder folder;
  const std::map<std::string, std::pair<std::string, std::string>> made = {
      {"imagefolder", {"labelled-images", "top-1 accuracy"}},
      {"recordio", {"faces", "verification accuracy"}},
      {"cityscapes", {"labelled-pixels", "mean intersection over union"}}};
  for (const auto& [format, what] : made) {
    SCOPED_TRACE(format);
    MakeSettings settings = small_set(format, folder / format);
    settings.subject = what.first;
    make_quietly(settings);
    const auto attainable = read_manifest(folder / format)->attainable;
    ASSERT_TRUE(attainable);
    EXPECT_EQ(attainable->metric, what.second);
    EXPECT_EQ(attainable->quality, 1);
  }
}

TEST(Attainable, IsADistanceOfPicturesToEvaluateWith) {
  const TemporaryFolder folder;
  const auto attainable = [&](std::int64_t items) {
    MakeSettings settings = small_set("cyclegan", folder / std::to_string(items));
    settings.evaluation_items = items;
    return make_quietly(settings).attainable;
  };
  EXPECT_FALSE(attainable(0)) << "there is nothing to evaluate with";
  const auto few = attainable(20), many = attainable(80);
  ASSERT_TRUE(few && many);
  EXPECT_EQ(few->metric, "distance of the made images from real ones");
  EXPECT_GT(many->quality, 0);
  EXPECT_LT(many->quality, few->quality) << "more pictures differ less by chance";
}

}  // namespace
}  // namespace trainmark::data
