#include "logs/generic/table_rows.h"

#include <gtest/gtest.h>

namespace trainmark {
namespace {

std::string row(const std::string& text) {
  return std::string{TableRows::mark} + text;
}

TEST(TableRows, NameTheirNumbers) {
  TableRows rows;
  EXPECT_EQ(rows.named("step loss time"), "step loss time");
  EXPECT_EQ(rows.named("10 2.31 0.250"), row("|step=10|loss=2.31|time=0.250|"));
  EXPECT_EQ(rows.named("| epoch | Loss | images/s |"), "| epoch | Loss | images/s |");
  EXPECT_EQ(rows.named("| 1 | 0.5 | 412.7 |"), row("|epoch=1|loss=0.5|images/s=412.7|"));
}

TEST(TableRows, KeepTheirHeadingWhateverIsSaidBetweenThem) {
  TableRows rows;
  rows.named("step loss time");
  rows.named("10 2.31 0.250");
  EXPECT_EQ(rows.named("next step begins"), "next step begins");
  EXPECT_EQ(rows.named("20 2.12 0.251"), row("|step=20|loss=2.12|time=0.251|"));
  EXPECT_EQ(rows.named("a step is ten batches"), "a step is ten batches");
  EXPECT_EQ(rows.named("30 2.05 0.249"), row("|step=30|loss=2.05|time=0.249|"));
}

TEST(TableRows, AreOtherLinesWithoutAHeading) {
  TableRows rows;
  EXPECT_EQ(rows.named("10 2.31 0.250"), "10 2.31 0.250");
  rows.named("loss accuracy time");  // counts nothing
  EXPECT_EQ(rows.named("10 2.31 0.250"), "10 2.31 0.250");
}

}  // namespace
}  // namespace trainmark
