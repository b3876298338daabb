#include "data/pipeline/augment.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <vector>

namespace trainmark::data {
namespace {

ItemChances chances_of(std::int64_t item) {
  return {5, "crop", 0, item};
}

/// RandomResizedCrop.get_params of torchvision, line by line, with another generator.
Box torchvision_crop(int width, int height, std::mt19937& generator) {
  const double area = static_cast<double>(height) * width;
  const auto uniform = [&](double low, double high) {
    return std::uniform_real_distribution(low, high)(generator);
  };
  for (int i = 0; i < 10; ++i) {
    const double target_area = area * uniform(0.08, 1.0);
    const double aspect_ratio = std::exp(uniform(std::log(3.0 / 4.0), std::log(4.0 / 3.0)));
    const int w = static_cast<int>(std::nearbyint(std::sqrt(target_area * aspect_ratio)));
    const int h = static_cast<int>(std::nearbyint(std::sqrt(target_area / aspect_ratio)));
    if (0 < w && w <= width && 0 < h && h <= height) {
      const int top = std::uniform_int_distribution(0, height - h)(generator);
      const int left = std::uniform_int_distribution(0, width - w)(generator);
      return {left, top, w, h};
    }
  }
  const double in_ratio = static_cast<double>(width) / height;
  int w = width;
  int h = height;
  if (in_ratio < 3.0 / 4.0)
    h = static_cast<int>(std::nearbyint(w / (3.0 / 4.0)));
  else if (in_ratio > 4.0 / 3.0)
    w = static_cast<int>(std::nearbyint(h * (4.0 / 3.0)));
  return {(width - w) / 2, (height - h) / 2, w, h};
}

/// The largest distance between the shares of both below any value (Kolmogorov and Smirnov).
double distance(std::vector<double> a, std::vector<double> b) {
  std::ranges::sort(a);
  std::ranges::sort(b);
  double result = 0;
  const auto share_below = [](const std::vector<double>& values, double limit) {
    return static_cast<double>(std::ranges::upper_bound(values, limit) - values.begin()) /
           static_cast<double>(values.size());
  };
  for (const double value : a)
    result = std::max(result, std::abs(share_below(a, value) - share_below(b, value)));
  return result;
}

TEST(RandomResizedCrop, IsDistributedAsTorchvisionsIs) {
  constexpr int crops = 20'000;
  constexpr double limit = 0.0195;  // 1.95 × √(2 / crops): passed by chance once in a thousand
  std::mt19937 generator(11);
  for (const auto& [width, height] : {std::pair(500, 375), {375, 500}, {700, 120}, {33, 40}}) {
    const auto collect = [&](const auto& make) {
      std::vector<std::vector<double>> values(4);
      for (int i = 0; i < crops; ++i) {
        const Box box = make(i);
        EXPECT_GE(box.left, 0);
        EXPECT_GE(box.top, 0);
        EXPECT_LE(box.left + box.width, width);
        EXPECT_LE(box.top + box.height, height);
        values[0].push_back(static_cast<double>(box.width) * box.height);
        values[1].push_back(static_cast<double>(box.width) / box.height);
        values[2].push_back(box.left);
        values[3].push_back(box.top);
      }
      return values;
    };
    const auto ours = collect([&](int i) {
      ItemChances chances = chances_of(i);
      return random_resized_crop(width, height, chances);
    });
    const auto theirs = collect([&](int) { return torchvision_crop(width, height, generator); });
    for (std::size_t i = 0; i < ours.size(); ++i)
      EXPECT_LT(distance(ours[i], theirs[i]), limit) << width << " × " << height << ", " << i;
  }
}

TEST(RandomResizedCrop, TakesTheMiddleOfAStrip) {
  ItemChances chances = chances_of(0);
  EXPECT_EQ(random_resized_crop(10'000, 100, chances), (Box{4933, 0, 133, 100}));
  EXPECT_EQ(random_resized_crop(100, 10'000, chances), (Box{0, 4933, 100, 133}));
}

TEST(RandomResizedCrop, TakesAllOfThePixelThatThereIs) {
  ItemChances chances = chances_of(0);
  EXPECT_EQ(random_resized_crop(1, 1, chances), (Box{0, 0, 1, 1}));
}

TEST(TrainingCut, TurnsOneInTwo) {
  int flips = 0;
  int wide_flips = 0;  // with a wide part: both are independent
  int wide = 0;
  for (int i = 0; i < 10'000; ++i) {
    ItemChances chances = chances_of(i);
    const Cut cut = training_cut(400, 300, 224, 224, chances);
    EXPECT_EQ(cut.width, 224);
    EXPECT_EQ(cut.height, 224);
    flips += cut.flip ? 1 : 0;
    if (cut.box.width <= cut.box.height) continue;
    ++wide;
    wide_flips += cut.flip ? 1 : 0;
  }
  EXPECT_NEAR(flips, 5000, 250);  // five standard errors
  EXPECT_NEAR(static_cast<double>(wide_flips) / wide, 0.5, 0.05);
}

TEST(TrainingCut, DependsOnSeedEpochAndItem) {
  const auto cut = [](std::uint64_t seed, std::int64_t epoch, std::int64_t item) {
    ItemChances chances(seed, "crop", epoch, item);
    return training_cut(4000, 3000, 224, 224, chances);
  };
  EXPECT_EQ(cut(1, 2, 3), cut(1, 2, 3));
  EXPECT_NE(cut(1, 2, 3), cut(2, 2, 3));
  EXPECT_NE(cut(1, 2, 3), cut(1, 3, 3));
  EXPECT_NE(cut(1, 2, 3), cut(1, 2, 4));
}

TEST(ScaledCut, ScalesFromHalfToTwice) {
  double least = 10;
  double most = 0;
  double sum = 0;
  constexpr int cuts = 10'000;
  for (int i = 0; i < cuts; ++i) {
    ItemChances chances = chances_of(i);
    const Cut cut = scaled_cut(2048, 1024, 512, 256, chances);
    ASSERT_EQ(cut.width, 512);
    ASSERT_EQ(cut.height, 256);
    ASSERT_LE(cut.box.left + cut.box.width, 2048);
    ASSERT_LE(cut.box.top + cut.box.height, 1024);
    ASSERT_NEAR(cut.box.width, 2 * cut.box.height, 2);
    const double scale = static_cast<double>(cut.width) / cut.box.width;
    least = std::min(least, scale);
    most = std::max(most, scale);
    sum += scale;
  }
  EXPECT_NEAR(least, 0.5, 0.01);
  EXPECT_NEAR(most, 2.0, 0.01);
  EXPECT_NEAR(sum / cuts, 1.25, 0.025);
}

TEST(ScaledCut, LeavesRoomForPaddingWhereThePictureIsTooSmall) {
  bool padded = false;
  for (int i = 0; i < 100; ++i) {
    ItemChances chances = chances_of(i);
    const Cut cut = scaled_cut(100, 600, 100, 100, chances);
    EXPECT_LE(cut.width, 100);
    EXPECT_EQ(cut.height, 100);
    if (cut.width == 100) continue;
    padded = true;
    EXPECT_EQ(cut.box.width, 100);  // all there is, made smaller
    EXPECT_EQ(cut.box.left, 0);
    EXPECT_GE(cut.width, 50);
  }
  EXPECT_TRUE(padded);
}

TEST(MiddleCut, KeepsTheScale) {
  EXPECT_EQ(middle_cut(100, 80, 40, 30), (Cut{{30, 25, 40, 30}, 40, 30, false}));
  EXPECT_EQ(middle_cut(20, 80, 40, 30), (Cut{{0, 25, 20, 30}, 20, 30, false}));
}

TEST(JitteredWindow, IsARandomPartOfALittleMore) {
  int least = 1000;
  int most = 0;
  int flips = 0;
  for (int i = 0; i < 2000; ++i) {
    ItemChances chances = chances_of(i);
    const Window window = jittered_window(300, 200, 256, 256, chances);
    EXPECT_EQ(window.box, (Box{0, 0, 300, 200}));
    EXPECT_EQ(window.width, 286);
    EXPECT_EQ(window.height, 286);
    EXPECT_EQ(window.window.width, 256);
    EXPECT_EQ(window.window.height, 256);
    least = std::min({least, window.window.left, window.window.top});
    most = std::max({most, window.window.left, window.window.top});
    flips += window.flip ? 1 : 0;
  }
  EXPECT_EQ(least, 0);
  EXPECT_EQ(most, 30);
  EXPECT_NEAR(flips, 1000, 112);
}

// Resize(256) and CenterCrop(224) of torchvision: 256 × 500 / 375 is cut to 341, and 58.5 rounded
// to the even 58.
TEST(EvaluationWindow, IsTheMiddleAsTorchvisionTakesIt) {
  EXPECT_EQ(evaluation_window(500, 375, 224, 224),
            (Window{{0, 0, 500, 375}, 341, 256, {58, 16, 224, 224}, false}));
  EXPECT_EQ(evaluation_window(375, 500, 224, 224),
            (Window{{0, 0, 375, 500}, 256, 341, {16, 58, 224, 224}, false}));
  EXPECT_EQ(evaluation_window(28, 28, 112, 112),
            (Window{{0, 0, 28, 28}, 128, 128, {8, 8, 112, 112}, false}));
}

TEST(EvaluationWindow, ResizesOnlyTheMiddleOfAStrip) {
  const Window window = evaluation_window(60'000, 10, 224, 224);
  EXPECT_EQ(window.box, (Box{29'920, 0, 160, 10}));
  EXPECT_EQ(window.width, 4096);
  EXPECT_EQ(window.height, 256);
}

}  // namespace
}  // namespace trainmark::data
