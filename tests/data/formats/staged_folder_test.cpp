#include "data/formats/staged_folder.h"

#include <sys/resource.h>

#include <csignal>

#include "picture_sets.h"
#include "temporary_folder.h"

namespace trainmark::data {
namespace {

TEST(StagedFolder, ShowsNothingBeforeAllIsThere) {
  const TemporaryFolder folder;
  {
    StagedFolder stage(folder.path());
    OutputFile file(stage.path() / "a");
    file.write(std::string_view("content"));
    file.close();
    for (const std::string& name : names_in(folder.path()))
      EXPECT_TRUE(name.starts_with('.')) << name;
    stage.publish();
    EXPECT_EQ(names_in(folder.path()), std::vector<std::string>{"a"});
  }
  EXPECT_EQ(content_of(folder / "a"), "content");
}

TEST(StagedFolder, LeavesNothingWhereItIsNotPublished) {
  const TemporaryFolder folder;
  {
    const StagedFolder stage(folder.path());
    OutputFile(stage.path() / "a").close();
  }
  EXPECT_TRUE(names_in(folder.path()).empty());
}

TEST(StagedFolder, PublishesAllOrNothing) {
  const TemporaryFolder folder;
  put_file(folder / "b", "in the way");
  {
    StagedFolder stage(folder.path());
    put_file(stage.path() / "a/1", "");
    put_file(stage.path() / "b/1", "");
    put_file(stage.path() / "c/1", "");
    EXPECT_THROW(stage.publish(), SystemError);
  }
  EXPECT_EQ(names_in(folder.path()), std::vector<std::string>{"b"});
}

TEST(StagedFolder, AddsToFoldersThatAreThere) {
  const TemporaryFolder folder;
  put_file(folder / "labels/train/1", "old");
  {
    StagedFolder stage(folder.path());
    put_file(stage.path() / "labels/val/2", "new");
    stage.publish();
  }
  EXPECT_EQ(names_in(folder.path()), std::vector<std::string>{"labels"});
  EXPECT_EQ(content_of(folder / "labels/train/1"), "old");
  EXPECT_EQ(content_of(folder / "labels/val/2"), "new");
  {
    StagedFolder stage(folder.path());
    put_file(stage.path() / "labels/test/3", "");
    put_file(stage.path() / "labels/val/2", "newer");
    EXPECT_THROW(stage.publish(), SystemError);
  }
  EXPECT_EQ(content_of(folder / "labels/val/2"), "new");
  EXPECT_EQ(names_in(folder / "labels"), (std::vector<std::string>{"train", "val"}));
}

/// A disk that takes no more than so many bytes of a file.
class SmallDisk {
 public:
  explicit SmallDisk(rlim_t bytes) : handler_(std::signal(SIGXFSZ, SIG_IGN)) {
    getrlimit(RLIMIT_FSIZE, &before_);
    const rlimit now{bytes, before_.rlim_max};
    setrlimit(RLIMIT_FSIZE, &now);
  }
  ~SmallDisk() {
    setrlimit(RLIMIT_FSIZE, &before_);
    std::signal(SIGXFSZ, handler_);
  }

 private:
  rlimit before_{};
  void (*handler_)(int);
};

TEST(PictureWriters, LeaveNothingOnAFullDisk) {
  for (const char* format :
       {"imagefolder", "webdataset", "tfrecord", "recordio", "cyclegan", "cityscapes"}) {
    const TemporaryFolder folder;
    {
      const auto writer = writer_of(format, {.folder = folder.path(), .kind = "", .classes = 1});
      Item item = labelled(png_like(std::string(100'000, 'x')), 0);
      item.second = item.picture;
      const SmallDisk disk(50'000);
      EXPECT_THROW(
          {
            writer->write(item);
            writer->finish();
          },
          SystemError)
          << format;
    }
    EXPECT_TRUE(names_in(folder.path()).empty()) << format;
  }
}

}  // namespace
}  // namespace trainmark::data
