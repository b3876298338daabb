#include "report/audit/claim.h"

#include <gtest/gtest.h>

#include <fstream>

#include "base/error.h"
#include "temporary_folder.h"
#include "user_error.h"

namespace trainmark {
namespace {

namespace fs = std::filesystem;

void write_table(const fs::path& path, const std::string& text) {
  fs::create_directories(path.parent_path());
  std::ofstream(path, std::ios::binary) << text;
}

TEST(Claims, ColumnsOfACsvMayHaveManyNames) {
  const TemporaryFolder folder;
  for (const char* header :
       {"file,published,unit,gpus,batch,remark",
        "Log,Throughput,Unit,Num GPUs,Batch Size (per GPU),x", "path,figure,units,devices,bs,y"}) {
    write_table(folder / "t.csv", std::string(header) +
                                      "\na.log,\"7,004.5\",images/s,8,96,nothing\n"
                                      "b.log,,images/s,8,96,not published\n");
    const Claims claims = read_claims(folder / "t.csv", folder.path());
    ASSERT_EQ(claims.all.size(), 1U) << header;
    EXPECT_EQ(claims.without_figure, 1U);
    const Claim& claim = claims.all[0];
    EXPECT_EQ(claim.log, "a.log");
    EXPECT_EQ(claim.line, 2U);
    EXPECT_EQ(claim.published, 7004.5);
    EXPECT_EQ(claim.unit, "images/s");
    EXPECT_EQ(claim.gpus, 8);
    EXPECT_EQ(claim.batch, 96);
    EXPECT_EQ(claim.path, fs::canonical(folder.path()) / "a.log");
  }
}

TEST(Claims, ScalesAndGlobalBatchesAreWorkedOut) {
  const TemporaryFolder folder;
  write_table(folder / "t.csv",
              "global_batch_size,log,published,scale\n512,a.log,100 img/s,2n8g\n");
  const Claim claim = read_claims(folder / "t.csv", folder.path()).all.at(0);
  EXPECT_EQ(claim.gpus, 16);
  EXPECT_EQ(claim.nodes, 2);
  EXPECT_EQ(claim.batch, 32);
  EXPECT_EQ(claim.unit, "img/s");
}

TEST(Claims, ThousandsMayBeApartOrALetter) {
  const TemporaryFolder folder;
  const auto published = [&](const std::string& figure) {
    write_table(folder / "t.csv", "log,published\na.log,\"" + figure + "\"\n");
    return read_claims(folder / "t.csv", folder.path()).all.at(0);
  };
  for (const char* figure : {"7 317",
                             "7\xC2\xA0"
                             "317",
                             "7\xE2\x80\xAF"
                             "317",
                             "7&nbsp;317", "7,317", "7.317k", "7.317K", "0.007317M", "7 317 img/s"})
    EXPECT_DOUBLE_EQ(published(figure).published, 7317) << figure;
  EXPECT_DOUBLE_EQ(published("1 234 567.5").published, 1234567.5);
  EXPECT_EQ(published("7.3k img/s").unit, "img/s");
  // No thousands: other groups of digits, and words.
  EXPECT_DOUBLE_EQ(published("7 31").published, 7);
  EXPECT_DOUBLE_EQ(published("7 3175").published, 7);
  EXPECT_DOUBLE_EQ(published("2023 500").published, 2023);
  EXPECT_DOUBLE_EQ(published("7 317 5").published, 7317);
  EXPECT_DOUBLE_EQ(published("7kimg/s").published, 7);
}

TEST(Claims, RunsOnCpusHaveNoGpus) {
  const TemporaryFolder folder;
  write_table(folder / "t.csv", "log,published,gpus,nodes\na.log,100,0,4\n");
  const Claim claim = read_claims(folder / "t.csv", folder.path()).all.at(0);
  EXPECT_FALSE(claim.gpus);
  EXPECT_EQ(claim.nodes, 4);
}

TEST(Claims, TablesOfAPageLinkToLogs) {
  const TemporaryFolder folder;
  write_table(folder / "report.md",
              "# BERT\n\n"
              "| GPUs | FP32 (BS=96) sequences/s | AMP (BS=64) sequences/s |\n|--:|--:|--:|\n"
              "| 1 | [153.1](logs/fp32_1.log) | **[640](logs/amp_1.log \"a log\")** |\n"
              "| 8 | 1,200.5 ([log](<logs/fp32_8.log>)) | - |\n\n"
              "## ResNet\n\n"
              "| batch size | images/s | log | picture |\n|:-:|---|---|---|\n"
              "| 128 | 2,950 | [here](logs/r50.log#L10) | ![x](plot.png) |\n"
              "| 128 | 2,950 | [elsewhere](https://example.org/r50.log) | |\n");
  const Claims claims = read_claims(folder / "report.md", folder.path());
  ASSERT_EQ(claims.all.size(), 4U);
  const Claim& fp32 = claims.all[0];
  EXPECT_EQ(fp32.published, 153.1);
  EXPECT_EQ(fp32.gpus, 1);
  EXPECT_EQ(fp32.batch, 96);
  EXPECT_EQ(fp32.precision, "fp32");
  EXPECT_EQ(fp32.unit, "sequences/s");
  EXPECT_EQ(fp32.label, "BERT");
  EXPECT_EQ(fp32.line, 5U);
  EXPECT_EQ(claims.all[1].log, "logs/amp_1.log");
  EXPECT_EQ(claims.all[1].batch, 64);
  EXPECT_EQ(claims.all[2].published, 1200.5);
  EXPECT_EQ(claims.all[2].log, "logs/fp32_8.log");
  EXPECT_EQ(claims.all[3].published, 2950);
  EXPECT_EQ(claims.all[3].log, "logs/r50.log");
  EXPECT_EQ(claims.all[3].label, "ResNet");
}

TEST(Claims, LogsOutsideOfTheFolderAreRefused) {
  const TemporaryFolder folder;
  write_table(folder / "secret.log", "x");
  write_table(folder / "logs/a.log", "x");
  fs::create_symlink(folder / "secret.log", folder / "logs/link.log");
  for (const char* path : {"../secret.log", "/etc/passwd", "link.log", "a/../../secret.log"}) {
    write_table(folder / "t.csv", "log,published\na.log,1\n" + std::string(path) + ",1\n");
    const std::string error =
        user_error_of([&] { read_claims(folder / "t.csv", folder / "logs"); });
    EXPECT_NE(error.find("t.csv:3: the log '" + std::string(path) + "' does not lie below"),
              std::string::npos)
        << error;
  }
  // A page may lie beside its logs, as long as they are where the user says.
  write_table(folder / "docs/report.md",
              "| x | images/s |\n|---|---|\n| 1 | [5](../logs/a.log) |\n");
  EXPECT_EQ(read_claims(folder / "docs/report.md", folder / "logs").all.size(), 1U);
  EXPECT_NE(user_error_of([&] { read_claims(folder / "docs/report.md", folder / "docs"); }), "");
}

TEST(Claims, MistakesAreNamedWithTheirLine) {
  const TemporaryFolder folder;
  const auto error_of = [&](const std::string& name, const std::string& text) {
    write_table(folder / name, text);
    return user_error_of([&] { read_claims(folder / name, folder.path()); });
  };
  EXPECT_NE(error_of("t.csv", "log,gpus\na,1\n").find("t.csv:1: no column names the published"),
            std::string::npos);
  EXPECT_NE(error_of("t.csv", "published\n1\n").find("log, file, path"), std::string::npos);
  // What multiplies a number, and is not read, must not be read as 1.
  for (const char* figure : {"\"7,5\"", "7.3m", "7.3e3", "7.3G"})
    EXPECT_NE(error_of("t.csv", "log,published\na.log," + std::string(figure) + "\n")
                  .find("is not a number above 0"),
              std::string::npos)
        << figure;
  EXPECT_NE(
      error_of("t.csv", "log,published,batch\na.log,1,4k\n").find("'4k' in the column 'batch'"),
      std::string::npos);
  EXPECT_NE(error_of("t.csv", "log,published\na.log,fast\n").find("t.csv:2: 'fast'"),
            std::string::npos);
  EXPECT_NE(error_of("t.csv", "log,published\na.log\n").find("1 field, but 2 columns"),
            std::string::npos);
  EXPECT_NE(error_of("t.csv", "log,published\n,5\n").find("names no log"), std::string::npos);
  EXPECT_NE(error_of("t.csv", "").find("empty"), std::string::npos);
  EXPECT_NE(error_of("t.md", "# nothing\n").find("publishes no figure"), std::string::npos);
}

}  // namespace
}  // namespace trainmark
