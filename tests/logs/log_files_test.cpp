#include "logs/log_files.h"

#include <gtest/gtest.h>

#include <fstream>
#include <map>

#include "logs/made_up_logs.h"
#include "temporary_folder.h"

namespace trainmark {
namespace {

namespace fs = std::filesystem;

void write(const fs::path& path, const std::string& text) {
  fs::create_directories(path.parent_path());
  std::ofstream(path, std::ios::binary) << text;
}

TEST(LogFiles, LogsAreToldFromWhatLiesBesideThem) {
  const TemporaryFolder folder;
  const std::string log = lines_of(20, [](int step) { return plsc_line(step, 100); });
  const std::string table = "file,gpus,published\na.log,1,100\nb.log,8,700\n";
  const std::map<std::string, std::pair<std::string, NoLog>> others = {
      {"README.md", {log, NoLog::document}},
      {"README", {log, NoLog::document}},
      {"expected.csv", {table, NoLog::table}},
      {"results", {table, NoLog::table}},
      {"train.py", {"import torch\n" + log, NoLog::source}},
      {"start", {"#!/bin/sh\n" + log, NoLog::source}},
      {"logs.tar.gz", {"x", NoLog::archive}},
      {"model.yaml", {"a: 1\n", NoLog::settings}},
      {"checkpoint.log", {std::string(5000, '\x01'), NoLog::unreadable}},
      {"none.log", {"", NoLog::empty}}};
  for (const auto& [name, content] : others) write(folder / name, content.first);
  // Programs print their own source at the head of what is a log all the same.
  for (const char* name : {"train.log", "source.txt", "deep/er/slurm-123.out", "stdout"})
    write(folder / name, (std::string(name) == "source.txt" ? "import torch\n" : "") + log);
  write(folder / ".git/a.log", log);
  const FolderContents contents = find_logs(folder.path());
  std::vector<std::string> names;
  for (const fs::path& path : contents.logs) names.push_back(fs::relative(path, folder.path()));
  EXPECT_EQ(names, (std::vector<std::string>{"deep/er/slurm-123.out", "source.txt", "stdout",
                                             "train.log"}));
  ASSERT_EQ(contents.others.size(), others.size());
  for (const PassedOver& other : contents.others) {
    const std::string name = fs::path(other.file).filename();
    EXPECT_EQ(other.kind, others.at(name).second) << name;
    EXPECT_FALSE(other.why.empty()) << name;
  }
}

TEST(LogFiles, OneLineSaysHowManyWerePassedOver) {
  EXPECT_EQ(passed_over_text({}), "");
  EXPECT_EQ(passed_over_text({{"a", NoLog::table, ""}}), "1 file was skipped: 1 table");
  EXPECT_EQ(passed_over_text(
                {{"a", NoLog::table, ""}, {"b", NoLog::silent, ""}, {"c", NoLog::table, ""}}),
            "3 files were skipped: 2 tables, 1 file without a record");
}

}  // namespace
}  // namespace trainmark
