// trainmark data make, check and show, as somebody with a disk full of pictures would use them.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <csignal>
#include <nlohmann/json.hpp>

#include "base/files.h"
#include "data/pictures/decode.h"
#include "e2e/support/program.h"

namespace trainmark::e2e {
namespace {

namespace fs = std::filesystem;

class DataCommand : public testing::Test {
 protected:
  Outcome make(const std::vector<std::string>& more = {}) const {
    std::vector<std::string> words = {"data",    "make", "--format", "imagefolder",
                                      "--items", "6",    "--out",    set_.string()};
    words.insert(words.end(), more.begin(), more.end());
    return trainmark(words);
  }

  std::string first_picture() const {
    for (const auto& entry : fs::recursive_directory_iterator(set_))
      if (entry.path().extension() == ".jpg") return entry.path().string();
    return "";
  }

  const TemporaryFolder folder_;
  const fs::path set_ = folder_ / "pictures";
};

TEST_F(DataCommand, WhatIsMadeChecksWellAndIsShown) {
  const Outcome made = make({"--classes", "2", "--height", "64", "--width", "80"});
  ASSERT_EQ(made.code, 0) << made.errors;
  EXPECT_NE(made.errors.find("6 items of 2 classes"), std::string::npos) << made.errors;
  EXPECT_EQ(made.output, "");
  const Outcome checked = trainmark({"data", "check", set_});
  EXPECT_EQ(checked.code, 0) << checked.errors;
  for (const char* words : {"imagefolder, labelled-images", "6 items", "class_0: 3",
                            "every item can be read", "checksums match"})
    EXPECT_NE(checked.output.find(words), std::string::npos) << words << "\n" << checked.output;
  const fs::path sheet = folder_ / "sheet.png";
  const Outcome shown = trainmark(
      {"data", "show", set_, "--out", sheet, "--items", "4", "--height", "32", "--width", "32"});
  EXPECT_EQ(shown.code, 0) << shown.errors;
  EXPECT_NE(shown.output.find("width: 80 to 80"), std::string::npos) << shown.output;
  const std::string bytes = read_file(sheet, SIZE_MAX);
  data::Picture picture;
  data::Decoder().decode({reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size()},
                         picture);
  EXPECT_EQ(picture.width, 2 * 32 + 3 * 4);
}

TEST_F(DataCommand, DamageIsNamedAndFailsTheCheckAlsoForPrograms) {
  ASSERT_EQ(make({"--height", "32"}).code, 0);
  const std::string damaged = first_picture();
  write_text(damaged, "no picture");
  const Outcome checked = trainmark({"data", "check", set_});
  EXPECT_EQ(checked.code, 1);
  EXPECT_NE(checked.output.find("1 item cannot be read:\n    class_"), std::string::npos)
      << checked.output;
  const Outcome programs = trainmark({"data", "check", set_, "--json"});
  EXPECT_EQ(programs.code, 1);
  const auto json = nlohmann::json::parse(programs.output);
  EXPECT_EQ(json.at("sound"), false);
  EXPECT_EQ(json.at("items"), 6);
  EXPECT_EQ(json.at("unreadable").at("count"), 1);
  EXPECT_TRUE(
      damaged.ends_with(json.at("unreadable").at("first").at(0).at("item").get<std::string>()));
  EXPECT_EQ(json.at("classes").size(), 1U);
}

TEST_F(DataCommand, WhatIsThereAlreadyStays) {
  write_text(set_ / "mine.txt", "mine");
  const Outcome made = make();
  EXPECT_EQ(made.code, 2);
  EXPECT_NE(made.errors.find("new or empty"), std::string::npos) << made.errors;
  EXPECT_EQ(std::distance(fs::directory_iterator(set_), {}), 1);
}

TEST_F(DataCommand, ASheetIsNeverWrittenIntoTheDataSet) {
  ASSERT_EQ(make({"--height", "32"}).code, 0);
  const std::string picture = first_picture();
  const std::string before = read_file(picture, SIZE_MAX);
  const Outcome shown = trainmark({"data", "show", set_, "--out", picture});
  EXPECT_EQ(shown.code, 2);
  EXPECT_NE(shown.errors.find("name a file elsewhere"), std::string::npos) << shown.errors;
  EXPECT_EQ(read_file(picture, SIZE_MAX), before);
}

TEST_F(DataCommand, CtrlCLeavesNothing) {
  const fs::path streams = folder_ / "streams";
  fs::create_directory(streams);
  const pid_t pid = start_trainmark(
      {"data", "make", "--format", "imagefolder", "--items", "1000000", "--out", set_}, streams);
  const fs::path partial = set_.string() + ".partial";
  ASSERT_TRUE(comes_true([&] { return fs::exists(partial) && !fs::is_empty(partial); }));
  kill(pid, SIGINT);
  EXPECT_EQ(wait_for(pid), 130);
  EXPECT_FALSE(fs::exists(partial));
  EXPECT_FALSE(fs::exists(set_));
}

TEST_F(DataCommand, AFullDiskLeavesNothingAndIsNamed) {
  const Outcome made = shell(fmt::format(
      "trap '' XFSZ; ulimit -f 4; exec {} data make --format imagefolder --items 20 --out {}",
      program_path(), set_.string()));
  EXPECT_EQ(made.code, 1) << made.errors;
  EXPECT_NE(made.errors.find("cannot write"), std::string::npos) << made.errors;
  EXPECT_TRUE(fs::is_empty(folder_.path()));
}

struct Slip {
  const char* name;
  std::vector<std::string> words;
  const char* message;
};

class DataSlips : public testing::TestWithParam<Slip> {};

TEST_P(DataSlips, AreNamedWithWhatToWrite) {
  const Outcome outcome = trainmark(GetParam().words);
  EXPECT_EQ(outcome.code, 2);
  EXPECT_NE(outcome.errors.find(GetParam().message), std::string::npos) << outcome.errors;
  EXPECT_EQ(std::count(outcome.errors.begin(), outcome.errors.end(), '\n'), 1) << outcome.errors;
}

INSTANTIATE_TEST_SUITE_P(
    Data, DataSlips,
    testing::Values(
        Slip{"nothing", {"data"}, "write trainmark data COMMAND, with one of make, check, show"},
        Slip{"command", {"data", "mkae"}, "did you mean 'make'?"},
        Slip{"option",
             {"data", "make", "--formt", "imagefolder", "--items", "1", "--out", "x", "--format",
              "imagefolder"},
             "unknown option '--formt'; did you mean '--format'? (see `trainmark data make "
             "--help`)"},
        Slip{"missing",
             {"data", "make", "--items", "5", "--out", "x"},
             "'--format' is missing; write trainmark data make --format FORMAT --items ITEMS "
             "--out OUT"},
        Slip{"format",
             {"data", "make", "--format", "tfrecords", "--items", "5", "--out", "x"},
             "did you mean 'tfrecord'?"},
        Slip{"items",
             {"data", "make", "--format", "tfrecord", "--items", "0", "--out", "x"},
             "write a whole number from 1"},
        Slip{"faces",
             {"data", "make", "--format", "cityscapes", "--faces", "--items", "1", "--out", "x"},
             "the format cityscapes holds labelled-pixels, not faces"},
        Slip{"two_tasks",
             {"data", "make", "--format", "recordio", "--faces", "--task", "grammar", "--items",
              "1", "--out", "x"},
             "--faces and --task grammar exclude each other"},
        Slip{"task",
             {"data", "make", "--format", "token-lines", "--task", "translations", "--items", "1",
              "--out", "x"},
             "did you mean 'translation'?"},
        Slip{"path", {"data", "check"}, "'path' is missing; write trainmark data check PATH"},
        Slip{"no_path", {"data", "check", "/no/such/path"}, "/no/such/path"},
        Slip{"help", {"help", "data", "mkae"}, "did you mean 'make'?"}),
    [](const auto& test) { return std::string(test.param.name); });

TEST(DataHelp, IsThereForEveryPartAndFormatsAreListed) {
  EXPECT_EQ(trainmark({"help", "data", "make"}).output,
            trainmark({"data", "make", "--help"}).output);
  const Outcome help = trainmark({"data", "--help"});
  EXPECT_EQ(help.code, 0);
  for (const char* part : {"make", "check", "show"})
    EXPECT_NE(help.output.find(fmt::format("\n  {} ", part)), std::string::npos) << help.output;
  const Outcome formats = trainmark({"list", "data-formats"});
  for (const char* name : {"imagefolder: ", "webdataset: ", "tfrecord: ", "token-lines: "})
    EXPECT_NE(formats.output.find(name), std::string::npos) << formats.output;
}

}  // namespace
}  // namespace trainmark::e2e
