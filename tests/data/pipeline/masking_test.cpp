#include "data/pipeline/masking.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <numeric>
#include <vector>

namespace trainmark::data {
namespace {

constexpr std::int64_t vocabulary = 30'000;

struct MaskedSentence {
  std::vector<std::int64_t> tokens;
  std::vector<std::int64_t> positions;
  std::vector<std::int64_t> labels;
};

/// Tokens are 1000, 1001, …
MaskedSentence masked_sentence(std::int64_t length, std::int64_t most, std::size_t places,
                               std::int64_t item, std::int64_t words = vocabulary) {
  MaskedSentence result{std::vector<std::int64_t>(static_cast<std::size_t>(length)),
                        std::vector<std::int64_t>(places, 77),
                        std::vector<std::int64_t>(places, 77)};
  std::iota(result.tokens.begin(), result.tokens.end(), 1000);
  ItemChances chances(3, "mask", 0, item);
  mask_tokens(result.tokens, most, words, chances, {result.positions, result.labels});
  return result;
}

TEST(Masking, TakesOneTokenOfEachPart) {
  for (std::int64_t item = 0; item < 100; ++item) {
    const MaskedSentence sentence = masked_sentence(128, 128, 20, item);
    for (std::int64_t part = 0; part < 20; ++part) {
      const std::int64_t position = sentence.positions[static_cast<std::size_t>(part)];
      EXPECT_GE(position, part * 128 / 20);
      EXPECT_LT(position, (part + 1) * 128 / 20);
      EXPECT_EQ(sentence.labels[static_cast<std::size_t>(part)], 1000 + position);
    }
  }
}

TEST(Masking, MasksEightInTenAndChangesOne) {
  int masks = 0;
  int kept = 0;
  int others = 0;
  std::array<int, 128> at{};
  constexpr int sentences = 1000;
  for (std::int64_t item = 0; item < sentences; ++item) {
    const MaskedSentence sentence = masked_sentence(128, 128, 20, item);
    for (std::size_t i = 0; i < 128; ++i) {
      const std::int64_t token = sentence.tokens[i];
      const bool chosen = std::ranges::find(sentence.positions, static_cast<std::int64_t>(i)) !=
                          sentence.positions.end();
      if (!chosen) {
        ASSERT_EQ(token, 1000 + static_cast<std::int64_t>(i));
        continue;
      }
      ++at[i];
      if (token == 103)
        ++masks;
      else if (token == 1000 + static_cast<std::int64_t>(i))
        ++kept;
      else
        ++others;
    }
  }
  constexpr int all = 20 * sentences;
  EXPECT_NEAR(masks, 0.8 * all, 300);  // five standard errors
  EXPECT_NEAR(kept, 0.1 * all, 215);
  EXPECT_NEAR(others, 0.1 * all, 215);
  for (const int count : at) EXPECT_NEAR(count, sentences / 6.4, 65);
}

TEST(Masking, MasksLessOfAShortSentence) {
  const MaskedSentence sentence = masked_sentence(32, 128, 20, 1);
  for (std::size_t place = 0; place < 20; ++place) {
    EXPECT_EQ(sentence.labels[place] == -1, place >= 5) << place;
    EXPECT_LT(sentence.positions[place], place < 5 ? 32 : 1);
  }
}

TEST(Masking, MasksOneOfASingleToken) {
  const MaskedSentence sentence = masked_sentence(1, 128, 20, 1);
  EXPECT_EQ(sentence.positions[0], 0);
  EXPECT_EQ(sentence.labels[0], 1000);
  EXPECT_EQ(sentence.labels[1], -1);
}

TEST(Masking, StaysWithinASmallVocabulary) {
  EXPECT_EQ(mask_token(100), 99);
  EXPECT_EQ(mask_token(30'522), 103);
  for (std::int64_t item = 0; item < 200; ++item) {
    const MaskedSentence sentence = masked_sentence(16, 16, 4, item, 5);
    for (std::size_t place = 0; place < 4; ++place) {
      const auto position = static_cast<std::size_t>(sentence.positions[place]);
      const std::int64_t token = sentence.tokens[position];
      EXPECT_TRUE(token < 5 || token == sentence.labels[place]) << token;
    }
  }
}

}  // namespace
}  // namespace trainmark::data
