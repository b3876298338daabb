#include "logs/text/line_reader.h"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <fstream>

#include "base/error.h"
#include "logs/made_up_logs.h"
#include "logs/packed_bytes.h"
#include "temporary_folder.h"

namespace trainmark {
namespace {

std::vector<std::string> lines_in(std::unique_ptr<ByteSource> source) {
  LineReader reader(std::move(source));
  std::vector<std::string> lines;
  for (std::string_view line; reader.next(line);) lines.emplace_back(line);
  return lines;
}

void write(const std::filesystem::path& path, const std::string& text) {
  std::ofstream(path, std::ios::binary) << text;
}

std::string refusal(const std::filesystem::path& path) {
  try {
    open_log(path);
  } catch (const UserError& error) {
    return error.what();
  }
  return "";
}

TEST(LineReader, GivesTheSameLinesInPiecesOfAnySize) {
  const std::string text = "one\n\ntwo\rthree\r\nfour";
  const std::vector<std::string> expected = {"one", "", "two", "three", "four"};
  for (std::size_t piece = 1; piece < 25; ++piece)
    EXPECT_EQ(lines_in(std::make_unique<PiecewiseSource>(text, piece)), expected) << piece;
}

TEST(LineReader, TakesColoursOut) {
  const std::string text =
      "\x1b[1;32mips: \x1b[0m512 \x1b[Ka\n\x1b]0;a title\a\x1b]2;another\x1b\\b\x1b(B\n"
      "cut \x1b[3\nplain\n\x1b";
  const std::vector<std::string> expected = {"ips: 512 a", "b", "cut ", "plain", ""};
  for (std::size_t piece = 1; piece < 60; ++piece)
    EXPECT_EQ(lines_in(std::make_unique<PiecewiseSource>(text, piece)), expected) << piece;
}

/// PowerShell's `>` writes it.
TEST(LineReader, ReadsUtf16) {
  const TemporaryFolder folder;
  const std::u16string text = u"\uFEFFstep 1\r\nm\u00fc\u20ac\U0001F600\xD800!\n";
  for (const bool low_first : {true, false}) {
    std::string bytes;
    for (const char16_t unit : text) {
      const auto low = static_cast<char>(unit & 0xFF);
      const auto high = static_cast<char>(unit >> 8);
      bytes += low_first ? std::string{low, high} : std::string{high, low};
    }
    write(folder / "a.log", bytes);
    EXPECT_EQ(lines_in(open_log(folder / "a.log")),
              (std::vector<std::string>{"step 1", "m\u00fc\u20ac\U0001F600\uFFFD!"}))
        << low_first;
  }
}

TEST(LineReader, CountsLinesAsEditorsDo) {
  LineReader reader(std::make_unique<PiecewiseSource>("a\rb\nc\n"));
  std::string_view line;
  std::vector<std::size_t> numbers;
  while (reader.next(line)) numbers.push_back(reader.line_number());
  EXPECT_EQ(numbers, (std::vector<std::size_t>{1, 1, 2}));
}

TEST(LineReader, OfALineThatIsTooLongTheFrontIsGivenAndTheRestPassedOver) {
  // Just too long for a line, and too long for the buffer; in pieces and at once.
  for (const std::size_t length : {LineReader::longest_line + 1, 5 * LineReader::longest_line}) {
    for (const std::size_t piece : {std::size_t{4096}, std::size_t{1} << 30}) {
      LineReader reader(
          std::make_unique<PiecewiseSource>("a\n" + std::string(length, 'x') + "\nb\n", piece));
      std::vector<std::size_t> sizes;
      for (std::string_view line; reader.next(line);) sizes.push_back(line.size());
      EXPECT_EQ(sizes, (std::vector<std::size_t>{1, LineReader::longest_line, 1}));
      EXPECT_EQ(reader.cut_lines(), 1U);
    }
  }
}

TEST(OpenLog, ReadsPackedLogsAlsoOfSeveralParts) {
  const TemporaryFolder folder;
  std::string text;
  for (int i = 0; i < 20000; ++i) text += std::to_string(i) + "\n";
  write(folder / "a.log.gz", packed_by_gzip(text) + packed_by_gzip("last\n"));
  const auto lines = lines_in(open_log(folder / "a.log.gz"));
  ASSERT_EQ(lines.size(), 20001U);
  EXPECT_EQ(lines[19999], "19999");
  EXPECT_EQ(lines.back(), "last");
}

TEST(OpenLog, KeepsWhatADamagedPackedLogStillHolds) {
  const TemporaryFolder folder;
  std::string text;
  for (int i = 0; i < 50000; ++i) text += std::to_string(i * 7919 % 104729) + "\n";
  std::string bytes = packed_by_gzip(text);
  write(folder / "torn.gz", bytes.substr(0, bytes.size() / 2));
  LineReader reader(open_log(folder / "torn.gz"));
  std::size_t lines = 0;
  for (std::string_view line; reader.next(line);) ++lines;
  EXPECT_GT(lines, 1000U);
  EXPECT_LT(lines, 50000U);
  EXPECT_NE(reader.damage().find("middle"), std::string::npos) << reader.damage();
}

TEST(OpenLog, SaysWhyItCannotReadWhatIsNoLog) {
  const TemporaryFolder folder;
  write(folder / "empty.log", "");
  write(folder / "binary", std::string(1000, '\x01'));
  ASSERT_EQ(mkfifo((folder / "pipe").c_str(), 0600), 0);
  EXPECT_NE(refusal(folder / "empty.log").find("empty"), std::string::npos);
  EXPECT_NE(refusal(folder / "binary").find("binary"), std::string::npos);
  EXPECT_NE(refusal(folder / "pipe").find("not a regular file"), std::string::npos);
  EXPECT_NE(refusal(folder.path()).find("not a regular file"), std::string::npos);
  EXPECT_NE(refusal(folder / "missing.log").find("No such file"), std::string::npos);
}

TEST(OpenLog, ReadsALogThatGrowsAsItWasWhenItWasOpened) {
  const TemporaryFolder folder;
  const auto path = folder / "growing.log";
  write(path, "one\ntwo\n");
  LineReader reader(open_log(path));
  std::ofstream(path, std::ios::app) << std::string(3 << 20, 'x') << "\n";
  std::vector<std::string> lines;
  for (std::string_view line; reader.next(line);) lines.emplace_back(line);
  EXPECT_EQ(lines, (std::vector<std::string>{"one", "two"}));
  EXPECT_NE(reader.damage().find("grew"), std::string::npos);
}

}  // namespace
}  // namespace trainmark
