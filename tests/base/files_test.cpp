#include "base/files.h"

#include <gtest/gtest.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/error.h"
#include "environ/fake_machine.h"
#include "user_error.h"

namespace trainmark {
namespace {

namespace fs = std::filesystem;

class FilesTest : public ::testing::Test {
 protected:
  FakeMachine folder;
  fs::path path(const char* name) const { return folder.root() / name; }
  std::ptrdiff_t files_there() const {
    return std::distance(fs::directory_iterator(folder.root()), fs::directory_iterator());
  }
};

TEST_F(FilesTest, WritesReadsAndReplaces) {
  write_file_atomically(path("a"), "one");
  EXPECT_EQ(read_file(path("a"), 100), "one");
  write_file_atomically(path("a"), std::string(300000, 'x'));
  EXPECT_EQ(read_file(path("a"), 300000).size(), 300000U);
  write_file_atomically(path("a"), "");
  EXPECT_EQ(read_file(path("a"), 0), "");
  EXPECT_EQ(files_there(), 1);  // nothing temporary is left
}

TEST_F(FilesTest, RefusesMoreThanTheLimit) {
  write_file_atomically(path("a"), "12345");
  EXPECT_EQ(read_file(path("a"), 5), "12345");
  const std::string message = message_of<UserError>([&] { read_file(path("a"), 4); });
  EXPECT_NE(message.find("larger than 4 bytes"), std::string::npos) << message;
  EXPECT_NE(message.find(path("a").string()), std::string::npos) << message;
}

TEST_F(FilesTest, ReadsOnlyFiles) {
  ASSERT_EQ(::mkfifo(path("fifo").c_str(), 0600), 0);
  const struct {
    fs::path what;
    const char* says;
  } cases[] = {{folder.root(), "a folder"},
               {path("fifo"), "a FIFO"},
               {"/dev/null", "a device"},
               {path("none"), "No such file"}};
  for (const auto& one : cases) {
    const std::string message = message_of<UserError>([&] { read_file(one.what, 100); });
    EXPECT_NE(message.find(one.says), std::string::npos) << message;
  }
}

TEST_F(FilesTest, FilesOfTheKernelSayTheirSizeIsZero) {
  EXPECT_FALSE(read_file("/proc/self/stat", 1 << 16).empty());
}

TEST_F(FilesTest, WritesOnlyFiles) {
  EXPECT_THROW(write_file_atomically("/dev/null", "x"), UserError);
  EXPECT_THROW(write_file_atomically(folder.root(), "x"), UserError);
  EXPECT_TRUE(fs::is_character_file("/dev/null"));
}

TEST_F(FilesTest, WritesThroughALink) {
  write_file_atomically(path("target"), "old");
  fs::create_symlink("target", path("link"));
  write_file_atomically(path("link"), "new");
  EXPECT_TRUE(fs::is_symlink(path("link")));
  EXPECT_EQ(read_file(path("target"), 100), "new");
}

TEST_F(FilesTest, AMissingFolderIsNamed) {
  const std::string message =
      message_of<SystemError>([&] { write_file_atomically(path("none") / "a", "x"); });
  EXPECT_NE(message.find("none/a: No such file"), std::string::npos) << message;
  EXPECT_THROW(sync_folder(path("none")), SystemError);
}

TEST_F(FilesTest, MakesFoldersThatAreMissing) {
  make_folders(path("a") / "b" / "c");
  EXPECT_TRUE(fs::is_directory(path("a") / "b" / "c"));
  make_folders(path("a") / "b" / "d" / "");
  EXPECT_TRUE(fs::is_directory(path("a") / "b" / "d"));
  make_folders(path("a"));

  write_file_atomically(path("file"), "x");
  for (const fs::path& refused : {path("file"), path("file") / "below"}) {
    const std::string message = message_of<SystemError>([&] { make_folders(refused); });
    EXPECT_NE(message.find(path("file").string()), std::string::npos) << message;
  }
}

/// Writing stops after some bytes while it lives, as on a disk with little room.
class LittleRoom {
 public:
  explicit LittleRoom(rlim_t bytes) {
    ::getrlimit(RLIMIT_FSIZE, &before_);
    handler_ = ::signal(SIGXFSZ, SIG_IGN);
    const rlimit limit = {bytes, before_.rlim_max};
    ::setrlimit(RLIMIT_FSIZE, &limit);
  }
  ~LittleRoom() {
    ::setrlimit(RLIMIT_FSIZE, &before_);
    ::signal(SIGXFSZ, handler_);
  }

 private:
  rlimit before_ = {};
  void (*handler_)(int) = nullptr;
};

TEST_F(FilesTest, AWriteThatFailsHalfWayLeavesTheOldFileAndNothingElse) {
  write_file_atomically(path("a"), "old");
  std::string message;
  {
    const LittleRoom room(1000);
    message =
        message_of<SystemError>([&] { write_file_atomically(path("a"), std::string(5000, 'x')); });
  }
  EXPECT_NE(message.find(path("a").string()), std::string::npos) << message;
  EXPECT_EQ(read_file(path("a"), 100), "old");
  EXPECT_EQ(files_there(), 1);
}

TEST_F(FilesTest, AFailureLeavesTheOldFile) {
  write_file_atomically(path("a"), "old");
  if (::geteuid() == 0) GTEST_SKIP() << "root may write everywhere";
  fs::permissions(folder.root(), fs::perms::owner_read | fs::perms::owner_exec);
  EXPECT_THROW(write_file_atomically(path("a"), "new"), SystemError);
  fs::permissions(folder.root(), fs::perms::owner_all);
  EXPECT_EQ(read_file(path("a"), 100), "old");
  EXPECT_EQ(files_there(), 1);
}

}  // namespace
}  // namespace trainmark
