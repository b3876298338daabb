#include "logs/described/described.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>

#include "logs/extract.h"
#include "logs/made_up_logs.h"
#include "temporary_folder.h"
#include "user_error.h"

namespace trainmark {
namespace {

namespace fs = std::filesystem;

constexpr const char* comet =
    "name: comet_of_tests\n"
    "summary: Comet\n"
    "sample: 'comet 20: 512.5 img/s (loss 6.9)'\n"
    "pattern: 'comet (?P<step>\\d+): (?P<rate>[\\d.]+) img/s \\(loss (?P<loss>[\\d.]+)'\n"
    "scope: rank\n";

void write(const fs::path& path, const std::string& text) {
  fs::create_directories(path.parent_path());
  std::ofstream(path, std::ios::binary) << text;
}

std::string error_of(const std::string& text) {
  return user_error_of([&] { parse_dialect(text, "x.yaml"); });
}

/// Takes back what a test has added.
class Described : public testing::Test {
 protected:
  void SetUp() override { before = Registry<Dialect>::all(); }
  void TearDown() override { Registry<Dialect>::all() = before; }

  std::map<std::string, Dialect, std::less<>> before;
  TemporaryFolder folder;
};

TEST_F(Described, AFileIsADialectLikeAnyOther) {
  write(folder / "comet.yaml", comet);
  write(folder / "a.log", "batch_size: 32\n" + lines_of(100, [](int step) {
                            return fmt::format("comet {}: {} img/s (loss 6.9)", step,
                                               500 + step % 5);
                          }));
  add_dialects(folder / "comet.yaml");
  ExtractOptions options;
  options.given.gpus = 4;
  const LogFigure figure = extract_log(folder / "a.log", options);
  EXPECT_EQ(figure.dialect, "comet_of_tests");
  EXPECT_NEAR(figure.throughput, 4 * 502, 4);
  EXPECT_EQ(figure.unit, "images/s");
}

TEST_F(Described, SeveralPatternsAndUnitsAreOneDialect) {
  const DescribedDialect two = parse_dialect(
      "sample: |\n  epoch 1 took 12.5 ms\n  step 3: 80 it/s\n"
      "patterns:\n- 'step (?P<step>\\d+): (?P<rate:it/s>\\d+)'\n"
      "- 'epoch (?P<epoch>\\d+) took (?P<time:ms>[\\d.]+)'\nunit: pictures/s\n"
      "running_mean: true\ndecoys: [eval]\n",
      "two.yaml");
  EXPECT_EQ(two.name, "two");
  EXPECT_EQ(two.dialect.unit, "pictures/s");
  EXPECT_TRUE(two.dialect.running_mean);
  EXPECT_EQ(two.dialect.decoys, std::vector<std::string>{"eval"});
  const RecordReader read = two.dialect.reader();
  Cursor line("epoch 7 took 12.5 ms, step 3: 80 it/s");
  Record first;
  Record second;
  Record none;
  ASSERT_TRUE(read(line, first));
  EXPECT_EQ(first.epoch, 7);
  EXPECT_NEAR(first.seconds, 0.0125, 1e-9);
  ASSERT_TRUE(read(line, second));
  EXPECT_EQ(second.step, 3);
  EXPECT_NEAR(second.seconds, 1.0 / 80, 1e-9);
  EXPECT_FALSE(read(line, none));
}

TEST_F(Described, MistakesAreNamedWithTheirLine) {
  const std::string head = "name: x\nsample: 'a 1'\n";
  EXPECT_NE(error_of(head + "pattern: '('\n").find("x.yaml:3: "), std::string::npos);
  EXPECT_NE(error_of(head + "pattern: 'a (?P<speed>1)'\n").find("no group 'speed'"),
            std::string::npos);
  EXPECT_NE(error_of(head + "pattern: 'b (?P<rate>1)'\n")
                .find("x.yaml:2: the pattern reads no record in this sample"),
            std::string::npos);
  EXPECT_NE(error_of(head).find("no 'pattern'"), std::string::npos);
  EXPECT_NE(error_of("pattern: 'a (?P<rate>1)'\n").find("no 'sample'"), std::string::npos);
  EXPECT_NE(error_of(head + "pattern: 'a (?P<rate>1)'\nscop: rank\n").find("'scope'"),
            std::string::npos);
  EXPECT_NE(error_of(head + "pattern: 'a (?P<rate>1)'\nscope: world\n").find("x.yaml:4: "),
            std::string::npos);
  EXPECT_NE(error_of("name: a b\nsample: a\npattern: a\n").find("x.yaml:1: the name 'a b'"),
            std::string::npos);
  EXPECT_NE(error_of("name: x\nsample: 'took 5 ms'\npattern: 'took (?P<time>\\d+)'\n")
                .find("(?P<time:ms>"),
            std::string::npos)
      << "a sample that contradicts the unit";
  for (const char* pattern : {"(", "a (?P<speed>1)"})
    EXPECT_EQ(error_of(head + "pattern: '" + pattern + "'\n").find("--pattern"), std::string::npos)
        << "there is no option here";
}

TEST_F(Described, NamesAreTakenOnce) {
  write(folder / "plsc.yaml", "sample: 'a 1'\npattern: 'a (?P<rate>1)'\n");
  EXPECT_NE(user_error_of([&] { add_dialects(folder / "plsc.yaml"); }).find("a built-in one"),
            std::string::npos);
  write(folder / "d/one.yaml", comet);
  write(folder / "d/two.yaml", comet);
  const std::string error = user_error_of([&] { add_dialects(folder / "d"); });
  EXPECT_NE(error.find("two.yaml: there is a dialect 'comet_of_tests' already"), std::string::npos)
      << error;
  fs::remove(folder / "d/two.yaml");
  write(folder / "d/notes.txt", "no description");
  add_dialects(folder / "d");
  add_dialects(folder / "d");  // the same file once more is no second dialect
}

TEST_F(Described, SuitesNameTheirsOrHaveThemBeside) {
  write(folder / "s/dialects/comet.yaml", comet);
  write(folder / "s/suite.yaml", "x");
  Suite suite;
  suite.file = folder / "s/suite.yaml";
  add_suite_dialects(suite);
  EXPECT_TRUE(Registry<Dialect>::find("comet_of_tests"));
  Registry<Dialect>::all() = before;
  write(folder / "s/other/comet.yaml", comet);
  suite.dialects = {{"other/comet.yaml", {"suite.yaml", 3}}};
  add_suite_dialects(suite);
  EXPECT_TRUE(Registry<Dialect>::find("comet_of_tests")->file.ends_with("other/comet.yaml"));
  suite.dialects = {{"nowhere.yaml", {"suite.yaml", 3}}};
  EXPECT_NE(user_error_of([&] { add_suite_dialects(suite); }).find("suite.yaml:3: there is no"),
            std::string::npos);
}

TEST_F(Described, OfEqualDialectsThatOfTheUserCounts) {
  write(folder / "mine.yaml",
        "name: zz_plsc\nsample: 'Pass:0 batch:1 lr:0.1 qps:5'\n"
        "pattern: 'batch:(?P<step>\\d+) .*qps:(?P<rate>[\\d.]+)'\n");
  write(folder / "a.log", lines_of(60, [](int step) { return plsc_line(step, 100); }));
  EXPECT_EQ(extract_log(folder / "a.log", {}).dialect, "plsc");
  add_dialects(folder / "mine.yaml");
  EXPECT_EQ(extract_log(folder / "a.log", {}).dialect, "zz_plsc");
}

}  // namespace
}  // namespace trainmark
