#include "cli/file_progress.h"

#include <gtest/gtest.h>
#include <pty.h>
#include <unistd.h>

#include <cstdlib>
#include <string>

namespace trainmark {
namespace {

struct Shown {
  double now = 0;
  std::string text;
};

FileProgress progress_of(Shown& shown, bool terminal) {
  return FileProgress(
      terminal, [&] { return shown.now; }, [&](const std::string& text) { shown.text += text; });
}

TEST(FileProgress, WorkThatIsSoonDoneSaysNothing) {
  for (const bool terminal : {false, true}) {
    Shown shown;
    FileProgress progress = progress_of(shown, terminal);
    for (std::size_t done = 0; done <= 100; ++done) {
      shown.now += 0.019;
      progress.show(done, 100);
    }
    EXPECT_EQ(shown.text, "");
  }
}

TEST(FileProgress, LongWorkShowsABarOnATerminalAndWipesItAway) {
  Shown shown;
  FileProgress progress = progress_of(shown, true);
  shown.now = 3;
  progress.show(50, 100);
  EXPECT_NE(shown.text.find("[###############...............] 50 of 100 files"), std::string::npos)
      << shown.text;
  progress.show(100, 100);
  EXPECT_TRUE(shown.text.ends_with("\r\x1b[K"));
}

TEST(FileProgress, WorkThatIsGivenUpLeavesNoBar) {
  Shown shown;
  {
    FileProgress progress = progress_of(shown, true);
    shown.now = 3;
    progress.show(50, 100);
  }
  EXPECT_TRUE(shown.text.ends_with("\r\x1b[K"));
}

TEST(FileProgress, ElsewhereItIsALineNowAndThen) {
  Shown shown;
  FileProgress progress = progress_of(shown, false);
  for (std::size_t done = 0; done <= 40; ++done) {
    shown.now += 0.25;  // which adds up without rounding
    progress.show(done, 40);
  }
  EXPECT_EQ(shown.text, "7 of 40 files read, 9.4 s left\n27 of 40 files read, 3.4 s left\n");
}

TEST(FileProgress, DrawsNoBarWhereALineCannotBeTakenBack) {
  int end = -1, terminal = -1;
  ASSERT_EQ(openpty(&end, &terminal, nullptr, nullptr, nullptr), 0);
  const int before = dup(STDERR_FILENO);
  const std::string kind = std::getenv("TERM") == nullptr ? "" : std::getenv("TERM");
  const auto draws_on = [&](const char* name) {
    setenv("TERM", name, 1);
    dup2(terminal, STDERR_FILENO);
    const bool draws = FileProgress().draws();
    dup2(before, STDERR_FILENO);
    return draws;
  };
  EXPECT_TRUE(draws_on("xterm"));
  EXPECT_FALSE(draws_on("dumb"));
  setenv("TERM", kind.c_str(), 1);
  for (const int stream : {end, terminal, before}) close(stream);
}

}  // namespace
}  // namespace trainmark
