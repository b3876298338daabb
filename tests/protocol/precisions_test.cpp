#include "protocol/precisions.h"

#include <gtest/gtest.h>

namespace trainmark {
namespace {

TEST(Precisions, AreThoseThatCellsMayAskFor) {
  EXPECT_EQ(known_precisions(),
            (std::vector<std::string>{"fp32", "fp64", "tf32", "amp-fp16", "amp-bf16", "fp16"}));
}

TEST(Precisions, RoundToTheirBits) {
  EXPECT_EQ(rounding_unit("amp-bf16"), 1.0 / 256);
  EXPECT_EQ(rounding_unit("tf32"), rounding_unit("fp16"));
  EXPECT_TRUE(has_few_bits("amp-fp16"));
  EXPECT_FALSE(has_few_bits("fp32"));
}

}  // namespace
}  // namespace trainmark
