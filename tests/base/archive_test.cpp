#include "base/archive.h"

#include <gtest/gtest.h>

#include <fstream>
#include <sstream>

#include "temporary_folder.h"
#include "user_error.h"

namespace trainmark {

namespace {

TEST(Archive, WhatIsWrittenIsReadBack) {
  const TemporaryFolder folder;
  ArchiveWriter writer(folder / "a.tar.zst", 0);
  writer.add("top/one", "first");
  writer.add("top/deep/two", std::string(100'000, 'x'));
  const std::string long_name = "top/" + std::string(60, 'a') + "/" + std::string(90, 'b');
  writer.add(long_name, "far away");
  EXPECT_FALSE(std::filesystem::exists(folder / "a.tar.zst")) << "only when it is whole";
  writer.finish();
  unpack_archive(folder / "a.tar.zst", folder / "out",
                 [](const std::string& name) { return name == "top/one" ? "" : name; });
  EXPECT_FALSE(std::filesystem::exists(folder / "out/top/one"));
  EXPECT_EQ(std::filesystem::file_size(folder / "out/top/deep/two"), 100'000U);
  EXPECT_EQ(std::filesystem::file_size(folder.path() / "out" / long_name), 8U);
}

TEST(Archive, NothingIsLeftOfOneThatWasNeverFinished) {
  const TemporaryFolder folder;
  { ArchiveWriter writer(folder / "a.tar.zst", 0); }
  EXPECT_TRUE(std::filesystem::is_empty(folder.path()));
}

TEST(Archive, ABombIsRefusedBeforeItFillsTheDisk) {
  const TemporaryFolder folder;
  ArchiveWriter writer(folder / "bomb.tar.zst", 0);
  for (int i = 0; i < 20; ++i) writer.add("top/" + std::to_string(i), std::string(1 << 20, '\0'));
  writer.finish();
  EXPECT_LT(std::filesystem::file_size(folder / "bomb.tar.zst"), 100'000U);
  ArchiveLimits limits;
  limits.bytes = 5 << 20;
  int places = 0;  // each time another folder
  const auto unpack = [&](bool taken) {
    return user_error_of([&] {
      unpack_archive(
          folder / "bomb.tar.zst", folder / std::to_string(++places),
          [&](const std::string& name) { return taken ? name : ""; }, limits);
    });
  };
  EXPECT_NE(unpack(true).find("more than a bundle may"), std::string::npos);
  EXPECT_NE(unpack(false).find("more than a bundle may"), std::string::npos)
      << "what is passed over is unpacked, too";
  limits.bytes = 1 << 30;
  limits.entries = 10;
  EXPECT_NE(unpack(true).find("more files"), std::string::npos);
}

TEST(Archive, PathsStayInside) {
  for (const char* name : {"a", "a/b.log", "..a/b", "a b/ä"}) EXPECT_TRUE(is_inner_path(name));
  for (const char* name : {"", "/a", "..", "a/..", "a/./b", "a//b", "a/", "a\\b", "a\nb"})
    EXPECT_FALSE(is_inner_path(name)) << name;
}

}  // namespace

}  // namespace trainmark
