#include "logs/text/key_filter.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace trainmark {
namespace {

KeyFilter filter_of(const std::vector<std::string>& keys) {
  KeyFilter filter;
  for (const std::string& key : keys) filter.add(key);
  return filter;
}

TEST(KeyFilter, MissesNoKeyWhereverItStands) {
  const std::vector<std::string> keys = {"mIoU: ", "accuracy_top-1: ", "top1", "Iter(val)", "ab"};
  const KeyFilter filter = filter_of(keys);
  for (const std::string& key : keys) {
    for (std::size_t before = 0; before < 70; ++before) {
      for (std::size_t behind = 0; behind < 40; ++behind) {
        const std::string line = std::string(before, 'x') + key + std::string(behind, 'x');
        ASSERT_TRUE(filter.may_be_in(line)) << line;
      }
    }
  }
}

TEST(KeyFilter, SaysOfOtherLinesThatTheyHoldNone) {
  const KeyFilter filter = filter_of({"mIoU: ", "accuracy_top-1: ", "Iter(val)"});
#ifdef __SSE2__
  for (const char* line :
       {"", "I", "Iter", "road | 97.9 | 98.9", "Iter [20/400]\tlr: 1.000e-02, eta: 0:03:10",
        "backbone.stage3.3.branches.1.2.conv1.weight - torch.Size([36, 36, 3, 3]):"})
    EXPECT_FALSE(filter.may_be_in(line)) << line;
#endif
  // What stands behind a line is not read.
  const std::string two = "a line, mIoU: 0.5";
  EXPECT_FALSE(filter.may_be_in(std::string_view(two).substr(0, 8)));
}

TEST(KeyFilter, WithoutKeysThereAreNone) {
  EXPECT_FALSE(KeyFilter().may_be_in("a line that is longer than a block"));
}

TEST(KeyFilter, LetsAllPassWhereAKeyDoesNotFitIn) {
  EXPECT_TRUE(filter_of({"x"}).may_be_in("a line that is longer than a block"));
  std::vector<std::string> many;
  for (char letter = 'a'; letter <= 'z'; ++letter) many.push_back(std::string(2, letter));
  EXPECT_TRUE(filter_of(many).may_be_in("a line that is longer than a block"));
}

}  // namespace
}  // namespace trainmark
