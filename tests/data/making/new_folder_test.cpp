#include "data/making/new_folder.h"

#include <gtest/gtest.h>

#include "base/files.h"
#include "temporary_folder.h"
#include "user_error.h"

namespace trainmark::data {
namespace {

namespace fs = std::filesystem;

std::size_t entries_in(const fs::path& folder) {
  return static_cast<std::size_t>(std::distance(fs::directory_iterator(folder), {}));
}

TEST(NewFolder, IsThereWholeOrNotAtAll) {
  const TemporaryFolder folder;
  {
    NewFolder given_up(folder / "set");
    write_file_atomically(given_up.partial() / "item", "half");
    EXPECT_FALSE(fs::exists(folder / "set"));
  }
  EXPECT_EQ(entries_in(folder.path()), 0U);
  NewFolder finished(folder / "set");
  write_file_atomically(finished.partial() / "item", "whole");
  finished.finish();
  EXPECT_EQ(read_file(folder / "set" / "item", 100), "whole");
  EXPECT_EQ(entries_in(folder.path()), 1U);
}

TEST(NewFolder, MayTakeThePlaceOfAnEmptyOneAndMakesThoseAboveIt) {
  const TemporaryFolder folder;
  fs::create_directory(folder / "empty");
  fs::create_directory_symlink(folder / "empty", folder / "link");
  for (const fs::path& path : {folder / "link" / "", folder / "a" / "b" / "c"}) {
    NewFolder made(path);
    made.finish();
    EXPECT_TRUE(fs::is_directory(path)) << path;
  }
  EXPECT_TRUE(fs::is_symlink(folder / "link"));
}

TEST(NewFolder, MayHaveANameFromTheCurrentFolderOn) {
  const TemporaryFolder folder;
  const fs::path before = fs::current_path();
  fs::current_path(folder.path());
  NewFolder("set").finish();
  fs::current_path(before);
  EXPECT_TRUE(fs::is_directory(folder / "set"));
}

TEST(NewFolder, NeverTouchesFilesOfOthers) {
  const TemporaryFolder folder;
  fs::create_directory(folder / "full");
  write_file_atomically(folder / "full" / "x", "theirs");
  fs::create_directory(folder / "set.partial");
  write_file_atomically(folder / "set.partial" / "x", "theirs");
  EXPECT_NE(user_error_of([&] { NewFolder(folder / "full"); }).find("not empty"),
            std::string::npos);
  EXPECT_NE(user_error_of([&] { NewFolder(folder / "full" / "x"); }).find("is a file"),
            std::string::npos);
  EXPECT_NE(user_error_of([&] { NewFolder(folder / "set"); }).find("set.partial"),
            std::string::npos);
  EXPECT_EQ(read_file(folder / "full" / "x", 100), "theirs");
  EXPECT_EQ(read_file(folder / "set.partial" / "x", 100), "theirs");
}

}  // namespace
}  // namespace trainmark::data
