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
  EXPECT_NE(unpack(true).find("it unpacks to more than 5 MiB"), std::string::npos);
  EXPECT_FALSE(std::filesystem::exists(folder / "1")) << "by what it says, before it is unpacked";
  EXPECT_NE(unpack(false).find("it unpacks to more than 5 MiB"), std::string::npos)
      << "what is passed over is unpacked, too";
  limits.bytes = 1 << 30;
  limits.entries = 10;
  EXPECT_NE(unpack(true).find("more than 10 files"), std::string::npos);
}

TEST(Archive, APathIsAFileOrAFolder) {
  const auto refusal = [](const std::vector<std::string>& names) {
    const TemporaryFolder folder;
    ArchiveWriter writer(folder / "a.tar.zst", 0);
    for (const std::string& name : names) writer.add(name, "x");
    writer.finish();
    const std::string words = user_error_of([&] {
      unpack_archive(folder / "a.tar.zst", folder / "out",
                     [](const std::string& name) { return name; });
    });
    EXPECT_EQ(std::filesystem::exists(folder / "out"), words.empty());
    return words;
  };
  for (const std::vector<std::string>& names :
       {std::vector<std::string>{"runs/a", "runs/a/b"}, {"runs/a/b/c", "runs/a"}})
    EXPECT_NE(refusal(names).find("'runs/a' in it is both a file and a folder"), std::string::npos)
        << refusal(names);
  EXPECT_EQ(refusal({"runs/a/b", "runs/a/c", "runs/ab"}), "");
}

TEST(Archive, PathsStayInside) {
  for (const char* name : {"a", "a/b.log", "..a/b", "a b/ä"}) EXPECT_TRUE(is_inner_path(name));
  for (const char* name : {"", "/a", "..", "a/..", "a/./b", "a//b", "a/", "a\\b", "a\nb"})
    EXPECT_FALSE(is_inner_path(name)) << name;
}

}  // namespace

}  // namespace trainmark
