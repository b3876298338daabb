#include "base/generator.h"

#include <gtest/gtest.h>

#include <array>
#include <string>

namespace trainmark::train {
namespace {

using Words = std::array<std::uint32_t, 2>;

// From the known-answer file of the authors' Random123 library.
TEST(Threefry, GivesThePublishedAnswers) {
  EXPECT_EQ(threefry2x32({0, 0}, {0, 0}), (Words{0x6b200159, 0x99ba4efe}));
  EXPECT_EQ(threefry2x32({0xffffffff, 0xffffffff}, {0xffffffff, 0xffffffff}),
            (Words{0x1cb996fc, 0xbb002be7}));
  EXPECT_EQ(threefry2x32({0x13198a2e, 0x03707344}, {0x243f6a88, 0x85a308d3}),
            (Words{0xc4923a9c, 0x483df7a0}));
}

TEST(Generator, DerivesItsKeyAsDocumented) {
  // FNV-1a of "" is its offset, of "a" 0xaf63dc4c8601ec8c.
  EXPECT_EQ(Generator(0, "").word(5), threefry2x32({0x84222325, 0xcbf29ce4}, {5, 0})[0]);
  EXPECT_EQ(Generator(0x100000002, "a").word(0x300000004),
            threefry2x32({0x8601ec8c ^ 2, 0xaf63dc4c ^ 1}, {4, 3})[0]);
}

TEST(Generator, MakesNumbersInTheirRanges) {
  const Generator generator(7, "stem.conv.weight");
  double sum = 0;
  constexpr int draws = 100'000;
  for (int i = 0; i < draws; ++i) {
    const float uniform = generator.uniform(i);
    ASSERT_GE(uniform, 0.0F);
    ASSERT_LT(uniform, 1.0F);
    ASSERT_EQ(uniform, static_cast<float>(generator.word(i) >> 8) / 16'777'216) << "a step of 2⁻²⁴";
    sum += uniform;
    const float symmetric = generator.symmetric(i, 0.25F);
    ASSERT_GE(symmetric, -0.25F);
    ASSERT_LE(symmetric, 0.25F);
    ASSERT_EQ(symmetric, (uniform - 0.5F) * 0.5F);
    const std::int64_t integer = generator.integer(i, 10);
    ASSERT_GE(integer, 0);
    ASSERT_LT(integer, 10);
  }
  EXPECT_NEAR(sum / draws, 0.5, 0.005);  // five standard errors
}

TEST(Generator, ReachesEveryInteger) {
  const Generator generator(1, "labels");
  std::array<int, 7> seen{};
  for (int i = 0; i < 1000; ++i) ++seen.at(generator.integer(i, 7));
  for (const int count : seen) EXPECT_GT(count, 0);
}

TEST(Generator, DiffersBySeedAndByName) {
  EXPECT_NE(Generator(1, "images").word(0), Generator(2, "images").word(0));
  EXPECT_NE(Generator(1, "images").word(0), Generator(1, "labels").word(0));
  EXPECT_EQ(Generator(1, "images").word(9), Generator(1, "images").word(9));
}

}  // namespace
}  // namespace trainmark::train
