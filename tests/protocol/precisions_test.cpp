#include "protocol/precisions.h"

#include <gtest/gtest.h>

namespace trainmark {
namespace {

TEST(Precisions, AreThoseThatCellsMayAskFor) {
  EXPECT_EQ(known_precisions(),
            (std::vector<std::string>{"fp32", "fp64", "tf32", "amp-fp16", "amp-bf16", "fp16"}));
}

}  // namespace
}  // namespace trainmark
