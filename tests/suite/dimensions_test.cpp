#include "suite/dimensions.h"

#include <gtest/gtest.h>

#include "user_error.h"

namespace trainmark {
namespace {

TEST(Dimensions, ReadsWhatItWrote) {
  const std::map<std::string, std::string> values = {
      {"workload", "bert"},  {"size", "tiny"},     {"framework", "jax:jit"}, {"precision", "fp16"},
      {"batch", "max"},      {"device", "cuda"},   {"accumulate", "4"},      {"scale", "2n8g"},
      {"resolution", "288"}, {"sequence", "max"},  {"classes", "default"},   {"sample_rate", "0.1"},
      {"data", "flowers"},   {"input", "pipeline"}};
  ASSERT_EQ(values.size(), dimensions().size());
  Cell cell;
  for (const auto& [name, value] : values) dimension(name).write(cell, {value, {}});
  for (const auto& [name, value] : values) EXPECT_EQ(dimension(name).read(cell), value) << name;
  EXPECT_EQ(
      cell.key(),
      "bert:tiny,resolution=288,sample_rate=0.1,sequence=max,data=flowers,input=pipeline/jax:jit/"
      "fp16/bmaxa4/cuda/2n8g");
}

TEST(Dimensions, ABatchMayBeAWishOnly) {
  Cell cell;
  dimension("batch").write(cell, {"at most 128", {}});
  EXPECT_EQ(cell.batch, 128);
  EXPECT_TRUE(cell.at_most);
  EXPECT_EQ(dimension("batch").read(cell), "at most 128");
  dimension("batch").write(cell, {"64", {}});
  EXPECT_FALSE(cell.at_most) << "the next value of a list is another one";
}

TEST(Dimensions, TakesItsOwnFallback) {
  for (const Dimension& known : dimensions()) {
    Cell cell;
    EXPECT_NO_THROW(known.write(cell, {known.fallback, {}})) << known.name;
  }
}

TEST(Dimensions, RefusesWhatIsNoValueOfIt) {
  const auto refusal = [](const char* name, const char* value) {
    return user_error_of([&] {
      Cell cell;
      dimension(name).write(cell, {value, {"s.yaml", 3}});
    });
  };
  EXPECT_EQ(
      refusal("batch", "many"),
      "s.yaml:3: 'batch' must be a whole number from 1 to 10000000, \"at most NUMBER\" or max, "
      "not 'many'");
  EXPECT_EQ(refusal("batch", "at most many"),
            "s.yaml:3: 'batch: at most' must be a whole number from 1 to 10000000, not 'many'");
  EXPECT_EQ(refusal("sequence", "0"),
            "s.yaml:3: 'sequence' must be a whole number from 1 to 1000000000, or max, not '0'");
  EXPECT_EQ(refusal("sample_rate", "2"),
            "s.yaml:3: 'sample_rate' must be a share above 0 and up to 1, such as 0.1, not '2'");
  EXPECT_EQ(refusal("accumulate", "max"),
            "s.yaml:3: 'accumulate' must be a whole number from 1 to 10000000, not 'max'");
  EXPECT_EQ(refusal("scale", "8"),
            "s.yaml:3: '8' is not a scale; write nodes and processes per node as in 1n1g, 1n8g or "
            "4n8g");
}

}  // namespace
}  // namespace trainmark
