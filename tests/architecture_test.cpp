// The code keeps to docs/architecture.yaml, which lists the rooms and the edges between them, and
// the drawing in docs/architecture.md is that of the list. scripts/architecture does the checking;
// it is tested on made-up trees.

#include <gtest/gtest.h>
#include <stdio.h>

#include <filesystem>
#include <fstream>
#include <set>
#include <string>
#include <vector>

#include "temporary_folder.h"

namespace trainmark {
namespace {

namespace fs = std::filesystem;

/// What the script says against the tree below `root`; empty where there is nothing to say.
std::string said_of(const fs::path& root, const std::string& verb = "check") {
  const std::string command =
      TRAINMARK_SOURCE "/scripts/architecture " + verb + " --root '" + root.string() + "' 2>&1";
  FILE* pipe = popen(command.c_str(), "r");
  std::string said;
  for (int letter = fgetc(pipe); letter != EOF; letter = fgetc(pipe))
    said += static_cast<char>(letter);
  const int status = pclose(pipe);
  EXPECT_EQ(status == 0, said.empty()) << said;
  return said;
}

TEST(Architecture, TheCodeKeepsToTheList) {
  EXPECT_EQ(said_of(TRAINMARK_SOURCE), "");
}

/// The lines of our C++ sources that hold one of the words, with their places, but for those of the
/// files at home in it.
std::string lines_with(const std::vector<std::string>& words, const std::set<std::string>& home) {
  std::string found;
  for (const char* folder : {"src", "trainers"}) {
    for (const auto& entry :
         fs::recursive_directory_iterator(fs::path(TRAINMARK_SOURCE) / folder)) {
      const std::string name = entry.path().lexically_relative(TRAINMARK_SOURCE).string();
      const bool is_code = name.ends_with(".cpp") || name.ends_with(".h");
      if (!is_code || home.contains(name)) continue;
      std::ifstream file(entry.path());
      for (std::string line; std::getline(file, line);)
        for (const std::string& word : words)
          if (line.find(word) != std::string::npos) found += name + ": " + line + "\n";
    }
  }
  return found;
}

// A write that nobody checks is lost in silence, and one that throws ends a suite.
TEST(Architecture, StandardStreamsHaveOneHome) {
  EXPECT_EQ(lines_with({"std::cout", "std::cerr", "std::clog", "fmt::print(", "std::printf(",
                        "std::fprintf(", "std::puts(", "std::fputs("},
                       {"src/base/output.cpp", "src/base/error.cpp"}),
            "");
}

// Handlers that are installed elsewhere forget what was ignored when the program was started.
TEST(Architecture, HandlersOfSignalsHaveOneHome) {
  EXPECT_EQ(
      lines_with({"std::signal(SIGI", "std::signal(SIGT", "std::signal(SIGH", "std::signal(SIGU",
                  "std::signal(number", "sigaction("},
                 {"src/base/signals.cpp", "src/launch/keeper.cpp", "trainers/clock/faults.cpp"}),
      "");
}

/// Three rooms in a row, and two frameworks that do not see each other.
class MadeUpTree : public testing::Test {
 protected:
  MadeUpTree() {
    write("docs/architecture.yaml",
          "src/low: {holds: a, uses: []}\n"
          "src/middle: {holds: b, uses: [src/low]}\n"
          "src/high: {holds: c, uses: [src/low, src/middle]}\n"
          "frameworks/common: {holds: d, uses: []}\n"
          "frameworks/*: {holds: e, uses: [frameworks/common]}\n");
    write("docs/architecture.md",
          "Before.\n<!-- drawing: made by scripts/architecture draw -->\n"
          "<!-- end of the drawing -->\nAfter.\n");
    write("src/low/a.h", "");
    write("src/middle/b.h", "#include \"low/a.h\"\n");
    write("src/high/c.cpp", "#include <map>\n#include \"low/a.h\"\n#include \"middle/b.h\"\n");
    write("frameworks/common/trainmark/steps.py", "import os\n");
    write("frameworks/one/loop.py", "from trainmark.steps import Step\n");
    write("frameworks/two/loop.py", "import trainmark.steps\n");
    EXPECT_EQ(said_of(folder_.path(), "draw"), "");
  }

  void write(const fs::path& path, const std::string& text) {
    fs::create_directories((folder_.path() / path).parent_path());
    std::ofstream(folder_.path() / path) << text;
  }
  std::string read(const fs::path& path) {
    std::ifstream file(folder_.path() / path);
    return {std::istreambuf_iterator<char>(file), {}};
  }
  std::string said() { return said_of(folder_.path()); }

  const TemporaryFolder folder_;
};

TEST_F(MadeUpTree, IsDrawnBetweenTheMarks) {
  const std::string page = read("docs/architecture.md");
  EXPECT_TRUE(page.starts_with("Before.\n")) << page;
  EXPECT_TRUE(page.ends_with("After.\n")) << page;
  EXPECT_NE(page.find("src_high --> src_middle"), std::string::npos) << page;
  EXPECT_NE(page.find("src_middle --> src_low"), std::string::npos) << page;
  // That way leads through the middle, too.
  EXPECT_EQ(page.find("src_high --> src_low"), std::string::npos) << page;
  EXPECT_NE(page.find("| `src/high` | c | `low`, `middle` |"), std::string::npos) << page;
}

TEST_F(MadeUpTree, AnEdgeThatIsNotListedIsRefusedWithItsPlace) {
  write("src/low/d.cpp", "\n#include \"middle/b.h\"\n");
  EXPECT_EQ(said(), "src/low/d.cpp:2: src/low may not use src/middle\n");
}

TEST_F(MadeUpTree, PythonImportsAreEdgesToo) {
  write("frameworks/common/trainmark/late.py", "def f():\n    from ..start import g\n");
  write("frameworks/common/start.py", "");
  EXPECT_EQ(said(), "");
  write("frameworks/one/late.py", "def f():\n    from trainmark import steps\n");
  EXPECT_EQ(said(), "");
  write("frameworks/two/late.py", "from ..one.loop import x\n");
  EXPECT_EQ(said(), "frameworks/two/late.py:1: frameworks/two may not use frameworks/one\n");
}

TEST_F(MadeUpTree, AnEdgeThatNothingUsesIsRefused) {
  write("src/middle/b.h", "");
  EXPECT_EQ(said(), "src/middle: does not use src/low; take it out\n");
}

TEST_F(MadeUpTree, AFolderWithoutARoomIsRefused) {
  write("src/new/x.h", "");
  EXPECT_EQ(said(), "src/new: no room of the list\n");
}

TEST_F(MadeUpTree, ARoomWithoutFilesIsRefused) {
  fs::remove_all(folder_ / "frameworks/one");
  EXPECT_EQ(said(), "");
  fs::remove_all(folder_ / "frameworks/two");
  EXPECT_EQ(said(),
            "frameworks/*: nothing is in it; take it out\n"
            "frameworks/*: does not use frameworks/common; take it out\n");
}

TEST_F(MadeUpTree, ACycleIsRefusedEvenWhereEveryEdgeIsListed) {
  write("src/low/d.cpp", "#include \"middle/b.h\"\n");
  EXPECT_EQ(said_of(folder_.path(), "adopt"), "a cycle: src/low → src/middle → src/low\n");
}

TEST_F(MadeUpTree, ThePageNamesOnlyWhatIsThere) {
  const std::string page = read("docs/architecture.md");
  write("src/low/a.h", "void begin();\n");
  write("docs/architecture.md", "[`begin`](../src/low/a.h), [`low/a.h`](../src/low/a.h)\n" + page);
  EXPECT_EQ(said(), "");
  write("docs/architecture.md", "[`Low::start`](../src/low/a.h), [`b`](../src/b.h)\n" + page);
  EXPECT_EQ(said(),
            "docs/architecture.md: Low::start is not in src/low/a.h\n"
            "docs/architecture.md: there is no src/b.h\n");
}

TEST_F(MadeUpTree, AStaleDrawingIsRefused) {
  write("src/high/c.cpp", "#include \"middle/b.h\"\n");
  write("docs/architecture.yaml",
        "src/low: {holds: a, uses: []}\n"
        "src/middle: {holds: b, uses: [src/low]}\n"
        "src/high: {holds: c, uses: [src/middle]}\n"
        "frameworks/common: {holds: d, uses: []}\n"
        "frameworks/*: {holds: e, uses: [frameworks/common]}\n");
  EXPECT_EQ(said(),
            "docs/architecture.md: the drawing is not that of the list; run scripts/architecture "
            "draw\n");
}

}  // namespace
}  // namespace trainmark
