#include "logs/generic/line_fields.h"

#include <gtest/gtest.h>

#include "logs/generic/counter_words.h"

namespace trainmark {
namespace {

/// The fields of a line as `words=number unit`, for comparison.
std::string fields_of(const std::string& line) {
  LineFields fields;
  fields.read(line);
  std::string text;
  for (const LineField& field : fields.fields()) {
    text += (text.empty() ? "" : "; ") + fields.words_of(field) + "=";
    char number[64];
    std::snprintf(number, sizeof number, "%.14g", field.number);
    text += number;
    if (field.kind == LineField::Kind::clock) text += " clock";
    if (field.kind == LineField::Kind::stamp) text += " stamp";
    if (field.bracketed) text += " mean";
    if (field.behind_slash) text += " total";
  }
  return text;
}

TEST(LineFields, AreNumbersWithTheirWords) {
  EXPECT_EQ(fields_of("iter 10 loss 0.5 123.4 samples/s"), "iter=10; loss=0.5; =123.4");
  EXPECT_EQ(fields_of("Epoch: [0][ 10/5005]\tTime  0.350 ( 0.362)"),
            "epoch=0; =10; =5005 total; time=0.35; =0.362 mean");
  EXPECT_EQ(fields_of("step 00595/05742 (10.36%) | tok/sec: 1,097,769"),
            "step=595; =5742 total; =10.36; tok/sec=1097769");
  EXPECT_EQ(fields_of(R"({"loss": 2.5, "step": 10, "lr": 1e-4})"), "loss=2.5; step=10; lr=0.0001");
  EXPECT_EQ(fields_of(" 7%|x| 1781/23800 [29:29<5:55:08,  1.03it/s]"),
            "=7; =1781; =23800 total; =1769 clock; =21308 clock; =1.03");
  EXPECT_EQ(fields_of("2023-07-28 06:51:52,985 INFO step 3"), "=1690527112.985 stamp; info step=3");
  EXPECT_EQ(fields_of(R"("elapsed_time": "3 days, 23:06:50")"), "elapsed_time=342410 clock");
}

TEST(LineFields, AreNoPartsOfWords) {
  EXPECT_EQ(fields_of("acc1, v2.layer3, 127.0.0.1, 3f8a, loss 2"), "loss=2");
  EXPECT_EQ(fields_of("[rank1]: step 7"), "rank=1; step=7");
}

/// Lines that differ in numbers, bars and units of time have the same fields.
TEST(LineFields, KeepTheirIdentity) {
  const auto identity = [](const std::string& line, double number) {
    LineFields fields;
    fields.read(line);
    for (const LineField& field : fields.fields())
      if (field.number == number) return std::pair(field.lead, field.id);
    ADD_FAILURE() << line;
    return std::pair<std::uint64_t, std::uint64_t>(0, 0);
  };
  EXPECT_EQ(identity(" 10%|█         | 10/100 [00:10<01:30,  1.05it/s]", 1.05),
            identity(" 90%|█████████ | 90/100 [01:30<00:10,  2.25s/it]", 2.25));
  EXPECT_EQ(identity("Train: [10/100] loss 2", 10), identity("Train: [ 20/100] loss 1", 20));
  EXPECT_NE(identity("Train: [10/100] loss 2", 10), identity("Test: [ 20/100] loss 1", 20));
  EXPECT_EQ(identity(R"({"a": 2, "step": 10})", 10), identity(R"({"step": 20, "b": 3})", 20));
}

TEST(LineFields, TellTheRank) {
  const auto rank = [](const std::string& line) {
    LineFields fields;
    fields.read(line);
    return rank_of(fields);
  };
  EXPECT_EQ(rank("[rank3]: step 10"), 3);
  EXPECT_EQ(rank("[1,2]<stdout>:step 10"), 2);
  EXPECT_EQ(rank("5: iteration 10 loss 2"), 5);
  EXPECT_EQ(rank("10: loss 2"), -1);  // that is the counter itself
  EXPECT_EQ(rank("[2022-11-22 06:08:05,035] [INFO] [Rank 0] step=36"), 0);
  EXPECT_EQ(rank("step 10"), -1);
}

TEST(LineFields, AreBounded) {
  LineFields fields;
  std::string line;
  for (int i = 0; i < 100'000; ++i) line += "x " + std::to_string(i) + " ";
  fields.read(line);
  EXPECT_LT(fields.fields().size(), 1000U);
}

}  // namespace
}  // namespace trainmark
