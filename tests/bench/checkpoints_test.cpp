#include "bench/checkpoints.h"

#include <gtest/gtest.h>

#include <set>

#include "temporary_folder.h"

namespace trainmark {
namespace {

TEST(Checkpoints, OfEveryTrainingHaveAFolderOfTheirOwn) {
  const TemporaryFolder folder;
  const Checkpoints checkpoints(folder.path());
  PlannedCell one;
  one.cell = {"a", "small", "f:eager", "fp32", 8, 1, "cpu", Scale{}};
  PlannedCell other = one;
  other.cell.precision = "amp-bf16";
  const std::vector<std::string> command = {"train", "--seed", "1"};
  const std::set<std::filesystem::path> folders = {
      checkpoints.folder_for(one, 1, command), checkpoints.folder_for(one, 2, command),
      checkpoints.folder_for(other, 1, command),
      checkpoints.folder_for(one, 1, {"train", "--seed", "2"})};
  EXPECT_EQ(folders.size(), 4u);
  EXPECT_TRUE(folders.contains(checkpoints.folder_for(one, 1, command)))
      << "it finds its own again";
}

}  // namespace
}  // namespace trainmark
