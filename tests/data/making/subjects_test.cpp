// What is made looks like what it stands for: sizes of files and pictures, texture, classes that
// can be seen, words as frequent as in texts.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "data/making/subject.h"
#include "data/pictures/decode.h"

namespace trainmark::data {
namespace {

std::unique_ptr<ItemMaker> maker_of(const std::string& subject, std::int64_t items,
                                    std::map<std::string, std::int64_t> numbers = {}) {
  ItemSettings settings;
  settings.items = items;
  settings.numbers = std::move(numbers);
  return Registry<Subject>::find(subject)->begin(settings);
}

Picture decoded(const Bytes& bytes) {
  Picture picture;
  Decoder().decode(bytes, picture);
  return picture;
}

TEST(Photographs, AreAsLargeAsThoseOfImageNet) {
  const auto maker = maker_of(kind::labelled_images, 1000);
  double bytes = 0, pixels = 0;
  bool portrait = false, landscape = false;
  std::set<std::size_t> sizes;
  constexpr int count = 40;
  Item item;
  for (int i = 0; i < count; ++i) {
    maker->make(i, item);
    const PictureInfo info = inspect(item.picture);
    EXPECT_EQ(info.encoding, "jpeg");
    EXPECT_GE(info.width, 250);
    EXPECT_LE(info.width, 1000);
    portrait |= info.height > info.width;
    landscape |= info.width > info.height;
    bytes += static_cast<double>(item.picture.size()) / count;
    pixels += static_cast<double>(info.width * info.height) / count;
    sizes.insert(item.picture.size() / 20'000);
  }
  EXPECT_GT(bytes, 90'000);
  EXPECT_LT(bytes, 130'000);
  EXPECT_GT(pixels, 500 * 375 * 0.8);
  EXPECT_LT(pixels, 500 * 375 * 1.25);
  EXPECT_TRUE(portrait && landscape);
  EXPECT_GE(sizes.size(), 5U) << "some are smooth, some busy";
}

/// The mean difference of neighbours, and of pixels that are far apart.
std::pair<double, double> differences(const Picture& picture) {
  double near = 0, far = 0;
  constexpr int apart = 64;
  int count = 0;
  for (int y = 0; y < picture.height; ++y) {
    for (int x = 0; x + apart < picture.width; x += 7, ++count) {
      const std::uint8_t* pixel = picture.row(y) + 3 * x;
      near += std::abs(pixel[0] - pixel[3]);
      far += std::abs(pixel[0] - pixel[3 * apart]);
    }
  }
  return {near / count, far / count};
}

TEST(Photographs, AreTexturedAndNoNoise) {
  const auto maker = maker_of(kind::labelled_images, 1000);
  Item item;
  for (int i = 0; i < 10; ++i) {
    maker->make(i, item);
    const auto [near, far] = differences(decoded(item.picture));
    EXPECT_GT(near, 1) << i << ": flat";
    EXPECT_GT(far, 1.5 * near) << i << ": noise";
  }
}

/// The mean colour of a picture, in a coarse grid of places.
std::vector<double> look_of(const Picture& picture) {
  constexpr int places = 4;
  std::vector<double> look(3 * places * places);
  for (int y = 0; y < picture.height; ++y)
    for (int x = 0; x < picture.width; ++x)
      for (int channel = 0; channel < 3; ++channel) {
        const auto place = static_cast<std::size_t>(
            3 * (y * places / picture.height * places + x * places / picture.width) + channel);
        look[place] += picture.row(y)[3 * x + channel] * double{places * places} /
                       (picture.width * picture.height);
      }
  return look;
}

double distance(const std::vector<double>& one, const std::vector<double>& other) {
  double sum = 0;
  for (std::size_t i = 0; i < one.size(); ++i) sum += (one[i] - other[i]) * (one[i] - other[i]);
  return sum;
}

class Visible : public testing::TestWithParam<const char*> {};

TEST_P(Visible, TheClassOfAPictureIsThatOfTheNearestMean) {
  // Ten colours: labels 0, 10, 20 … of pictures; any ten of faces.
  constexpr int classes = 100, shown = 10, taught = 12, asked = 4;
  const auto maker = maker_of(GetParam(), 10'000, {{"classes", classes}, {"height", 64}});
  std::vector<std::vector<double>> means;
  Item item;
  for (int label = 0; label < shown; ++label) {
    std::vector<double> mean(48);
    for (int i = 0; i < taught; ++i) {
      maker->make(label * 10 + i * classes, item);
      ASSERT_EQ(item.label, label * 10);
      const auto look = look_of(decoded(item.picture));
      for (std::size_t k = 0; k < mean.size(); ++k) mean[k] += look[k] / taught;
    }
    means.push_back(mean);
  }
  int right = 0;
  for (int label = 0; label < shown; ++label) {
    for (int i = taught; i < taught + asked; ++i) {
      maker->make(label * 10 + i * classes, item);
      const auto look = look_of(decoded(item.picture));
      const auto nearest = std::min_element(means.begin(), means.end(), [&](auto& a, auto& b) {
        return distance(a, look) < distance(b, look);
      });
      right += nearest - means.begin() == label ? 1 : 0;
    }
  }
  EXPECT_GE(right, 3 * shown * asked / 10) << "three times as many as by guessing";
}

INSTANTIATE_TEST_SUITE_P(Subjects, Visible, testing::Values(kind::labelled_images, "faces"),
                         [](const auto& it) {
                           return std::string(it.param) == "faces" ? "Faces" : "Photographs";
                         });

TEST(Streets, HaveAllClassesAndBorders) {
  const auto maker = maker_of(kind::labelled_pixels, 100, {{"height", 128}});
  std::map<int, int> pixels;
  Item item;
  Decoder decoder;
  Picture labels;
  for (int i = 0; i < 60; ++i) {
    maker->make(i, item);
    decoder.decode_labels(item.second, labels);
    ASSERT_EQ(labels.width, 256);
    ASSERT_EQ(labels.height, 128);
    for (const std::uint8_t label : labels.pixels) ++pixels[label];
  }
  for (int label = 0; label < 19; ++label) EXPECT_GT(pixels[label], 0) << label;
  EXPECT_GT(pixels[255], 0);
  EXPECT_EQ(pixels.size(), 20U);
  EXPECT_EQ(inspect(item.picture).encoding, "png");
}

TEST(Streets, AreAsLargeAsCityscapes) {
  Item item;
  maker_of(kind::labelled_pixels, 1)->make(0, item);
  const PictureInfo info = inspect(item.picture);
  EXPECT_EQ(info.width, 2048);
  EXPECT_EQ(info.height, 1024);
}

TEST(Meadows, SidesDifferInStripes) {
  const auto maker = maker_of(kind::image_pairs, 10);
  EXPECT_EQ(maker->other_items(), 10);
  Item brown, striped;
  maker->make(0, brown);
  maker->make_other(0, striped);
  EXPECT_NE(brown.picture, striped.picture);
  EXPECT_EQ(inspect(striped.picture).width, 256);
}

TEST(Sentences, WordsAreAsFrequentAsZipfSaysAndSomeAreMasked) {
  const auto maker = maker_of(kind::masked_sentences, 1000);
  std::map<std::int32_t, int> words;
  Item item;
  int masked = 0, hidden = 0, all = 0, following = 0;
  for (int i = 0; i < 1000; ++i) {
    maker->make(i, item);
    ASSERT_LE(item.tokens.size(), 128U);
    ASSERT_EQ(item.positions.size(), item.target.size());
    EXPECT_EQ(item.tokens.front(), 101);
    EXPECT_EQ(item.tokens.at(static_cast<std::size_t>(item.split) - 1), 102);
    for (std::size_t k = 0; k < item.positions.size(); ++k) {
      std::int32_t& token = item.tokens.at(static_cast<std::size_t>(item.positions[k]));
      hidden += token == 103 ? 1 : 0;
      token = item.target[k];
    }
    for (const std::int32_t token : item.tokens) {
      ASSERT_GE(token, 0);
      ASSERT_LT(token, 30522);
      ++words[token];
    }
    masked += static_cast<int>(item.positions.size());
    all += static_cast<int>(item.tokens.size());
    following += item.follows;
  }
  EXPECT_NEAR(double(masked) / all, 0.14, 0.02);
  EXPECT_NEAR(double(hidden) / masked, 0.8, 0.03) << "others are replaced, or stay";
  EXPECT_NEAR(following, 500, 100);
  EXPECT_GT(words[1000], 3 * words[1010]) << "the most frequent one, and the eleventh";
  EXPECT_GT(words.size(), 3000U);
  EXPECT_FALSE(words.contains(103)) << "masks hide words";
}

TEST(Sentences, FitSmallVocabularies) {
  const auto maker = maker_of(kind::masked_sentences, 100, {{"vocabulary", 100}, {"tokens", 16}});
  Item item;
  for (int i = 0; i < 100; ++i) {
    maker->make(i, item);
    EXPECT_LE(item.tokens.size(), 16U);
    for (const std::int32_t token : item.tokens) EXPECT_LT(token, 100);
  }
}

TEST(Translations, MeanTheSameAndDifferInLength) {
  const auto maker = maker_of(kind::sentence_pairs, 1000, {{"vocabulary", 500}});
  std::map<std::int32_t, std::map<std::int32_t, int>> seen;  // words beside words
  std::set<std::size_t> lengths;
  Item item;
  for (int i = 0; i < 1000; ++i) {
    maker->make(i, item);
    ASSERT_FALSE(item.tokens.empty() || item.target.empty());
    ASSERT_LE(std::max(item.tokens.size(), item.target.size()), 100U);
    lengths.insert(item.tokens.size());
    for (const std::int32_t source : std::set(item.tokens.begin(), item.tokens.end()))
      for (const std::int32_t target : std::set(item.target.begin(), item.target.end()))
        ++seen[source][target];
  }
  EXPECT_GT(lengths.size(), 40U);
  // A word always comes with its translation, and seldom with any other.
  for (const std::int32_t source : {50, 100, 200}) {
    std::vector<int> counts;
    for (const auto& [target, count] : seen[source]) counts.push_back(count);
    std::sort(counts.rbegin(), counts.rend());
    EXPECT_GT(counts.at(0), counts.at(1)) << source;
  }
}

}  // namespace
}  // namespace trainmark::data
