#include "report/published/published.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <fstream>

#include "temporary_folder.h"
#include "user_error.h"

namespace trainmark {

namespace {

constexpr const char* names = "workload,framework,precision,batch,throughput,unit,source\n";

class Published : public testing::Test {
 protected:
  std::vector<PublishedFigure> read(const std::string& text) const {
    std::ofstream(folder_ / "figures.csv") << text;
    return read_published(folder_ / "figures.csv");
  }

  std::string refusal(const std::string& text) const {
    return user_error_of([&] { read(text); });
  }

  TemporaryFolder folder_;
};

TEST_F(Published, AFigureIsReadWithWhatStandsBesideIt) {
  const auto figures = read(
      "# a comment\nworkload,framework,precision,batch,scale,throughput,unit,accuracy,source\n"
      "resnet50,\"Paddle, \"\"new\"\"\",fp32,96,4n8g,10715.3,images,77.3,a report\n"
      "resnet50,MXNet,fp32,96,4n8g,-,images,,a report\n");
  ASSERT_EQ(figures.size(), 1U) << "what was not published is left out";
  EXPECT_EQ(figures[0].cell.framework, "Paddle, \"new\"");
  EXPECT_EQ(figures[0].cell.scale.ranks(), 32);
  EXPECT_EQ(figures[0].throughput, 10715.3);
  EXPECT_EQ(figures[0].accuracy, 77.3);
  EXPECT_FALSE(figures[0].seconds_to_train);
}

TEST_F(Published, TellsWhatTablesAndProjectionsNeed) {
  const auto figures = read(
      "workload,framework,precision,batch,accumulate,sequence,throughput,unit,parameters,"
      "gradient_bytes,source\n"
      "bert,a,fp32,32,66,512,100,sequences,110.1e6,2,s\nbert,a,fp32,32,?,,100,sequences,,,s\n");
  ASSERT_EQ(figures.size(), 2U);
  EXPECT_EQ(figures[0].cell.accumulate, 66);
  EXPECT_EQ(figures[0].cell.shapes, (Shapes{{"sequence", 512}}));
  EXPECT_EQ(figures[0].parameters, 110.1e6);
  EXPECT_EQ(figures[0].gradient_bytes, 2);
  EXPECT_EQ(figures[1].cell.accumulate, unknown_accumulate);
  EXPECT_TRUE(figures[1].cell.shapes.empty());
}

TEST_F(Published, WhatIsWrongIsNamedWithItsLine) {
  EXPECT_NE(refusal("workload\n").find(":1: there is no column 'framework'"), std::string::npos);
  EXPECT_NE(refusal("worklod,framework\n").find("did you mean 'workload'"), std::string::npos);
  const std::string head = names;
  EXPECT_NE(refusal(head + "r,f,fp32,x,1,i,s\n").find(":2: batch: 'x'"), std::string::npos);
  EXPECT_NE(refusal(head + "r,f,fp32,1,-3,i,s\n").find("throughput: '-3'"), std::string::npos);
  EXPECT_NE(refusal(head + "r,f,fp32,1,1e308,i,s\n").find("throughput: '1e308'"),
            std::string::npos);
  EXPECT_NE(refusal(head + "r,f,fp32,1,3,i\n").find("6 fields, but 7 columns"), std::string::npos);
  EXPECT_NE(refusal(head + "r,f,fp32,1,3,i,\n").find("'source' is empty"), std::string::npos);
  EXPECT_NE(refusal(head).find("holds no figure"), std::string::npos);
}

TEST_F(Published, WhatWouldBeTakenForSomethingElseIsRefused) {
  const std::string head = names;
  EXPECT_NE(refusal(head + "r,f,fp32,1,383%,i,s\n").find(":2: throughput: '383%' is a percentage"),
            std::string::npos);
  const auto with = [&](const std::string& column, const std::string& value) {
    return column + "," + head + value + ",r,f,fp32,1,3,i,s\n";
  };
  EXPECT_NE(refusal(with("parameters", "25%")).find(":2: parameters: '25%' is a percentage"),
            std::string::npos);
  EXPECT_EQ(read(with("accuracy", "76.3%")).size(), 1U);
  EXPECT_NE(refusal(with("size", "full/half")).find(":2: 'size' holds a '/': full/half"),
            std::string::npos);
  for (const char* device : {"gpu", "a/b", "CUDA"})
    EXPECT_NE(refusal(with("device", device))
                  .find(fmt::format(":2: unknown device '{}'; write cpu or cuda", device)),
              std::string::npos);
  EXPECT_EQ(read(with("device", "cpu")).front().cell.device, "cpu");
  EXPECT_EQ(read(with("device", "")).front().cell.device, "cuda");
  EXPECT_NE(refusal(with("unit", "x")).find(":1: column 'unit' appears twice"), std::string::npos);
}

TEST_F(Published, IsReadAsSpreadsheetsWriteIt) {
  const auto figures = read(
      "\xEF\xBB\xBFworkload,framework,precision,batch,throughput,unit,source\r\n"
      "resnet50,MXNet,fp32,96,100,images,\"a report,\r\nin two lines\"\r\n"
      "bert,MXNet,fp32,96,50,sequences,\"the same\n\nreport\"\r\n");
  ASSERT_EQ(figures.size(), 2U);
  EXPECT_EQ(figures[0].cell.workload, "resnet50");
  EXPECT_EQ(figures[0].source, "a report, in two lines");
  EXPECT_EQ(figures[1].source, "the same  report");
  const std::string head = names;
  EXPECT_NE(refusal(head + "r,f,fp32,1,3,i,\"a\nb\"\nr,f,fp32,x,3,i,s\n").find(":4: batch"),
            std::string::npos)
      << "lines are counted through quoted breaks";
  EXPECT_NE(refusal(head + "r,f,fp32,1,3,i,\"a\n").find(":2: unclosed quote"), std::string::npos);
}

TEST_F(Published, IsAddedOnce) {
  const std::string text = std::string(names) + "r,f,fp32,1,3,i,s\nr,f,fp32,1,3,i,s\n";
  EXPECT_EQ(add_published_runs(folder_ / "into", read(text)).added, 2U) << "published twice";
  const auto size = std::filesystem::file_size(folder_ / "into/journal.jsonl");
  const AddedFigures again = add_published_runs(folder_ / "into", read(text));
  EXPECT_EQ(again.added, 0U);
  EXPECT_EQ(again.known, 2U);
  EXPECT_EQ(again.text("into"), "0 figures added to into; 2 were there already");
  EXPECT_EQ(std::filesystem::file_size(folder_ / "into/journal.jsonl"), size);
  EXPECT_EQ(add_published_runs(folder_ / "into", read(text + "r,f,fp32,1,4,i,s\n")).added, 1U);
}

}  // namespace

}  // namespace trainmark
