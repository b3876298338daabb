#include "journal/journal.h"

#include <gtest/gtest.h>
#include <sys/resource.h>

#include <csignal>
#include <fstream>
#include <nlohmann/json.hpp>

#include "base/error.h"
#include "base/files.h"
#include "temporary_folder.h"
#include "user_error.h"

namespace trainmark {
namespace {

RunRecord sample_run(int number) {
  RunRecord run;
  run.id = fmt::format("{:04}-resnet50-r1", number);
  run.cell = {"resnet50", "small", "libtorch:eager", "fp32", 8, 1, "cpu", {1, 1}};
  run.round = number;
  run.ok = true;
  run.unit = "images";
  run.command = {"trainmark-train", "--batch", "8"};
  run.trainer = {{"batch", 8}};
  run.summary.steps = 100;
  run.summary.used = 90;
  run.summary.throughput = {720, 90, 8, 0.001, {7.9, 8.1}};
  return run;
}

std::string text_of(const std::filesystem::path& folder) {
  return read_file(folder / "journal.jsonl", SIZE_MAX);
}

void write_text(const std::filesystem::path& folder, const std::string& text) {
  std::ofstream(folder / "journal.jsonl", std::ios::binary) << text;
}

TEST(JournalLine, IsCheckedByItsSum) {
  const std::string line = journal_line({{"type", "run"}, {"text", "a\nb \xff"}});
  ASSERT_TRUE(line.ends_with("}\n"));
  const std::string_view whole = std::string_view(line).substr(0, line.size() - 1);
  EXPECT_TRUE(record_text(whole));
  EXPECT_EQ(nlohmann::json::parse(whole).at("record").at("type"), "run");
  for (std::size_t at = 0; at < whole.size(); ++at) {
    std::string damaged(whole);
    damaged[at] = static_cast<char>(damaged[at] ^ 1);
    EXPECT_FALSE(record_text(damaged)) << "byte " << at;
    EXPECT_FALSE(record_text(whole.substr(0, at))) << "cut at " << at;
  }
}

TEST(Journal, GivesBackWhatWasWritten) {
  const TemporaryFolder folder;
  {
    Journal journal(folder.path());
    journal.append(to_record(SuiteRecord{"quick", "Title", "matrix: {}", {}, 2, 3, "now", "0.1"}));
    journal.append(environment_record("e1", {{"cpu", "x"}}));
    journal.append(environment_record("e2", {{"cpu", "y"}}));
    journal.append(to_record(sample_run(1)));
    journal.append(to_record(SkipRecord{sample_run(1).cell, "no GPU"}));
  }
  const JournalContents contents = read_journal(folder.path());
  EXPECT_TRUE(contents.damage.empty());
  ASSERT_EQ(contents.runs.size(), 1U);
  EXPECT_EQ(contents.runs[0].cell, sample_run(1).cell);
  EXPECT_DOUBLE_EQ(contents.runs[0].summary.throughput.value, 8);
  EXPECT_EQ(contents.suites.at(0).text, "matrix: {}");
  EXPECT_EQ(contents.environments.at("e1").at("cpu"), "x");
  EXPECT_EQ(contents.environments.at("e2").at("cpu"), "y");
  EXPECT_EQ(contents.skips.at(0).reason, "no GPU");
}

TEST(Journal, LosesAtMostTheLastRecordWhateverByteItWasCutAt) {
  const TemporaryFolder folder;
  {
    Journal journal(folder.path());
    for (int i = 1; i <= 3; ++i) journal.append(to_record(sample_run(i)));
  }
  const std::string text = text_of(folder.path());
  const std::size_t second_end = text.find('\n', text.find('\n') + 1) + 1;
  // Every byte counts at the ends of records: without its line feed, a whole record is not kept
  // yet.
  const auto next = [&](std::size_t cut) {
    const bool near_an_end = cut < second_end + 20 || cut + 27 > text.size();
    return cut + (near_an_end ? 1 : 7);
  };
  for (std::size_t cut = second_end; cut < text.size(); cut = next(cut)) {
    SCOPED_TRACE(fmt::format("{} of {} bytes", cut, text.size()));
    write_text(folder.path(), text.substr(0, cut));
    const JournalContents before = read_journal(folder.path());
    EXPECT_EQ(before.runs.size(), 2U);
    EXPECT_EQ(before.damage.size(), cut == second_end ? 0U : 1U);
    {
      Journal journal(folder.path());
      EXPECT_EQ(journal.repaired().empty(), cut == second_end);
      journal.append(to_record(sample_run(9)));
    }
    const JournalContents after = read_journal(folder.path());
    ASSERT_EQ(after.runs.size(), 3U);
    EXPECT_EQ(after.runs[2].round, 9);
    EXPECT_TRUE(after.damage.empty());
  }
}

TEST(Journal, AWriteThatFailsHalfWayLeavesNothingBehind) {
  const TemporaryFolder folder;
  Journal journal(folder.path());
  journal.append(to_record(sample_run(1)));
  const std::string before = text_of(folder.path());
  rlimit usual = {};
  getrlimit(RLIMIT_FSIZE, &usual);
  const auto handler = std::signal(SIGXFSZ, SIG_IGN);
  const rlimit little = {before.size() + 100, usual.rlim_max};
  setrlimit(RLIMIT_FSIZE, &little);
  EXPECT_THROW(journal.append(to_record(sample_run(2))), SystemError);
  setrlimit(RLIMIT_FSIZE, &usual);
  std::signal(SIGXFSZ, handler);
  EXPECT_EQ(text_of(folder.path()), before);
  journal.append(to_record(sample_run(3)));
  EXPECT_EQ(read_journal(folder.path()).runs.size(), 2U);
}

TEST(Journal, NamesADamagedRecordAndReadsTheRest) {
  const TemporaryFolder folder;
  {
    Journal journal(folder.path());
    for (int i = 1; i <= 3; ++i) journal.append(to_record(sample_run(i)));
  }
  std::string text = text_of(folder.path());
  text[text.find('\n') + 60] ^= 1;
  write_text(folder.path(), text);
  const JournalContents contents = read_journal(folder.path());
  EXPECT_EQ(contents.runs.size(), 2U);
  ASSERT_EQ(contents.damage.size(), 1U);
  EXPECT_NE(contents.damage[0].find("journal.jsonl:2"), std::string::npos);
}

TEST(Journal, SurvivesHostileContent) {
  const TemporaryFolder folder;
  for (const nlohmann::json& record :
       {nlohmann::json::array(), nlohmann::json(5), nlohmann::json({{"type", 5}}),
        nlohmann::json({{"type", "run"}}), nlohmann::json({{"type", "run"}, {"schema", -1}}),
        nlohmann::json({{"type", "something new"}, {"schema", 1}})}) {
    write_text(folder.path(), journal_line(record) + journal_line(to_record(sample_run(1))));
    EXPECT_EQ(read_journal(folder.path()).runs.size(), 1U) << record;
  }
  write_text(folder.path(), std::string(100'000, '\0') + "\n" + std::string(5'000'000, '{'));
  EXPECT_TRUE(read_journal(folder.path()).runs.empty());
}

TEST(Journal, OfANewerVersionIsRefusedAndLeftAlone) {
  const TemporaryFolder folder;
  const nlohmann::json run = {{"schema", 7}, {"type", "run"}};
  const nlohmann::json suite = {{"schema", 7}, {"type", "suite"}, {"trainmark", "3.1.4"}};
  const std::string ours = journal_line(to_record(sample_run(1)));
  for (const std::string& text :
       {ours + journal_line(run), ours + journal_line(run) + journal_line(suite) + "torn"}) {
    write_text(folder.path(), text);
    const std::string refusal = user_error_of([&] { read_journal(folder.path()); });
    EXPECT_NE(refusal.find("journal.jsonl:2: written by"), std::string::npos) << refusal;
    EXPECT_NE(refusal.find("schema 7"), std::string::npos) << refusal;
    EXPECT_EQ(refusal.find("trainmark 3.1.4") != refusal.npos, text.ends_with("torn")) << refusal;
    EXPECT_EQ(user_error_of([&] { const Journal journal(folder.path()); }), refusal);
    EXPECT_EQ(text_of(folder.path()), text);
  }
}

TEST(Journal, ExcludesASecondWriter) {
  const TemporaryFolder folder;
  const Journal first(folder.path());
  try {
    const Journal second(folder.path());
    FAIL() << "two writers";
  } catch (const UserError& error) {
    EXPECT_NE(std::string(error.what()).find("another trainmark"), std::string::npos);
  }
  EXPECT_NO_THROW(read_journal(folder.path()));
}

TEST(Journal, SaysWhereNoneIs) {
  const TemporaryFolder folder;
  EXPECT_THROW(read_journal(folder.path()), UserError);
  EXPECT_THROW(read_journal(folder / "nowhere"), UserError);
  EXPECT_FALSE(has_journal(folder.path()));
}

}  // namespace
}  // namespace trainmark
