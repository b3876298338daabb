#include "base/cell.h"

#include <gtest/gtest.h>

namespace trainmark {
namespace {

TEST(Scale, IsReadStrictly) {
  EXPECT_EQ(Scale::parse("4n8g"), (Scale{4, 8}));
  EXPECT_EQ(Scale::parse("99999n99999g"), (Scale{99999, 99999}));
  for (const char* wrong : {"", "4n", "n8g", "0n8g", "4n0g", "-1n8g", "4n8", "4n8gg", " 4n8g",
                            "100000n1g", "1n100000g"})
    EXPECT_FALSE(Scale::parse(wrong)) << wrong;
  EXPECT_EQ((Scale{4, 8}).text(), "4n8g");
  EXPECT_EQ((Scale{4, 8}).ranks(), 32);
}

TEST(Cell, HasAKeyForAllThatTellsItFromOthers) {
  Cell cell{"bert", "tiny", "jax:jit", "fp32", 8, 1, "cpu", {2, 4}};
  EXPECT_EQ(cell.key(), "bert:tiny/jax:jit/fp32/b8/cpu/2n4g");
  cell.accumulate = 4;
  EXPECT_EQ(cell.key(), "bert:tiny/jax:jit/fp32/b8a4/cpu/2n4g");
  cell.accumulate = 1;
  cell.batch = largest_batch;
  EXPECT_EQ(cell.key(), "bert:tiny/jax:jit/fp32/bmax/cpu/2n4g");
  cell.batch = unknown_batch;
  EXPECT_EQ(cell.key(), "bert:tiny/jax:jit/fp32/b?/cpu/2n4g");
  cell.batch = 128;
  cell.at_most = true;
  EXPECT_EQ(cell.key(), "bert:tiny/jax:jit/fp32/bmax128/cpu/2n4g");
  cell.at_most = false;
  cell.accumulate = unknown_accumulate;
  EXPECT_EQ(cell.key(), "bert:tiny/jax:jit/fp32/b128a?/cpu/2n4g");
}

TEST(Cell, HasItsShapesBehindItsSize) {
  Cell cell{"arcface", "full", "jax:jit", "fp32", 8, 1, "cpu", {1, 1}};
  cell.shapes = {{"sample_rate", 0.1}, {"classes", 1000000}};
  EXPECT_EQ(cell.size_text(), "full,classes=1000000,sample_rate=0.1");
  EXPECT_EQ(cell.key(), "arcface:full,classes=1000000,sample_rate=0.1/jax:jit/fp32/b8/cpu/1n1g");
  EXPECT_EQ(cell.searched(), "");
  cell.shapes["classes"] = largest_shape;
  EXPECT_EQ(cell.searched(), "classes");
  EXPECT_EQ(cell.size_text(), "full,classes=max,sample_rate=0.1");
  cell.shapes.clear();
  cell.batch = largest_batch;
  EXPECT_EQ(cell.searched(), "batch");
}

TEST(Cell, TellsTheFrameworkAndItsMode) {
  Cell cell;
  cell.framework = "jax:jit";
  EXPECT_EQ(cell.framework_name(), "jax");
  EXPECT_EQ(cell.framework_mode(), "jit");
  cell.framework = "jax";
  EXPECT_EQ(cell.framework_name(), "jax");
  EXPECT_EQ(cell.framework_mode(), "");
}

}  // namespace
}  // namespace trainmark
