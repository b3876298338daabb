// Data flows one way through src/: a folder includes only folders left of it. This test reads the
// sources, so that the first shortcut is seen when it is taken.

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

namespace trainmark {
namespace {

namespace fs = std::filesystem;

const std::vector<std::string> flow = {"base", "http",    "environ", "suite", "launch", "measure",
                                       "logs", "journal", "report",  "bench", "cli"};

std::ptrdiff_t position(const std::string& folder) {
  return std::find(flow.begin(), flow.end(), folder) - flow.begin();
}

TEST(Architecture, FoldersIncludeOnlyWhatIsLeftOfThem) {
  const fs::path source = TRAINMARK_SOURCE "/src";
  std::size_t includes = 0;
  for (const auto& entry : fs::recursive_directory_iterator(source)) {
    if (entry.path().extension() != ".h" && entry.path().extension() != ".cpp") continue;
    const std::string folder = fs::relative(entry.path(), source).begin()->string();
    ASSERT_LT(position(folder), std::ssize(flow)) << folder << " is not part of the flow";
    std::ifstream file(entry.path());
    for (std::string line; std::getline(file, line);) {
      const std::string start = "#include \"";
      if (!line.starts_with(start) || line.find('/') == std::string::npos) continue;
      const std::string included = line.substr(start.size(), line.find('/') - start.size());
      EXPECT_LE(position(included), position(folder)) << entry.path() << ": " << line;
      ++includes;
    }
  }
  EXPECT_GT(includes, 100U);
}

}  // namespace
}  // namespace trainmark
