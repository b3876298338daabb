#include "logs/generic/line_fields.h"

#include <gtest/gtest.h>

#include <tuple>

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

TEST(LineFields, MayBeDurationsOfSeveralParts) {
  EXPECT_EQ(fields_of("took 1h 2m 3.5s, loss 2"), "took=3723.5; loss=2");
  EXPECT_EQ(fields_of("time 1m30s 2d 1h"), "time=90; =176400");
  EXPECT_EQ(fields_of("12 h 30 m"), "=12; h=30");
  EXPECT_EQ(fields_of("a 3s 4s b 5"), "a=3; =4; b=5");
}

TEST(LineFields, HaveADecimalCommaWhereNothingElseCanBeMeant) {
  EXPECT_EQ(fields_of("time 0,250 s, loss 1,512 a"), "time=0.25; loss=1512");
  EXPECT_EQ(fields_of("gpus 0,1,2,3"), "gpus=0; =1; =2; =3");
  EXPECT_EQ(fields_of("[0,25]"), "=0; =25");
}

TEST(LineFields, HaveTheirNamesInFrontOrBehindWhereBlanksPartThem) {
  const auto unit_of = [](const std::string& line, std::size_t index) {
    LineFields fields;
    fields.read(line);
    const LineField& field = fields.fields().at(index);
    return line.substr(field.end, field.unit_end - field.end);
  };
  EXPECT_EQ(unit_of("loss 2.5 tok/s 1000", 0), "");
  EXPECT_EQ(unit_of("loss 2.5 tok/s 1,000 lr 1e-4 | x", 0), "");
  EXPECT_EQ(unit_of("loss 2.5 tok/s 1000 lr 1e-4 foo", 0), " tok/s");
  EXPECT_EQ(unit_of("step 10 250 ms 4", 1), " ms");
  EXPECT_EQ(unit_of("took 250 ms 4", 0), " ms");
}

TEST(LineFields, MayHaveALoneLetterThatMultiplies) {
  const auto value_of = [](const std::string& line) {
    LineFields fields;
    fields.read(line);
    return fields.fields().at(0).value;
  };
  EXPECT_DOUBLE_EQ(value_of("tokens/s: 1.25 M | mfu 40%"), 1.25e6);
  EXPECT_DOUBLE_EQ(value_of("tokens/s: 12.5 k"), 12.5e3);
  EXPECT_DOUBLE_EQ(value_of("throughput: 12.5 k tokens/s"), 12.5e3);
  // Names of the next field, and numbers that are no rates.
  EXPECT_DOUBLE_EQ(value_of("tokens/s: 12.5 k: 8"), 12.5);
  EXPECT_DOUBLE_EQ(value_of("tokens/s: 12.5 K 8"), 12.5);
  EXPECT_DOUBLE_EQ(value_of("loss: 12.5 M"), 12.5);
}

TEST(LineFields, MayHaveTheirNamesBehindThem) {
  EXPECT_EQ(fields_of("2epoch:train:51-100batch: loss=3.5, 5it"),
            "epoch=2; train=51; batch=100; loss=3.5; it=5");
}

TEST(LineFields, HaveDatesOfAllShapes) {
  for (const char* line : {"2023-07-28 06:51:52 a", "23-07-28 06:51:52 a", "07/28/2023 06:51:52 a"})
    EXPECT_EQ(fields_of(line), "=1690527112 stamp") << line;
  EXPECT_EQ(fields_of("12-34-56 loss 2"), "=12; =34; =56; loss=2");
}

/// What was learned of lines before must not change how a line is read.
TEST(LineFields, AreTheSameWhateverWasReadBefore) {
  const std::vector<std::string> lines = {"iter 10 loss 0.5 123.4 samples/s",
                                          "iter 20 loss 0.25 99.4 samples/s",
                                          "iter 30 loss 1 99.4 samples/s",
                                          "iter 40 loss -0.5 99.4 samples/s",
                                          "iter 50 loss -5.5 99.4 samples/s, eta 1:00:00",
                                          "iter 50 loss -5.5 99.4 samples/s, eta 12",
                                          "iter 1,000 loss 0.5 123.4 samples/s",
                                          "iter 10 loss 1.5e-3 123.4 samples/s",
                                          "iter 10 loss 0.5 123.4 samples/s 7",
                                          "iter 10 loss 0.5 123.4 samples/step",
                                          "tok/s 12.5 k | loss 2",
                                          "tok/s 13.5 k | loss 2",
                                          "tok/s 13.5 k 2",
                                          "a 5 b 10:30 c 1",
                                          "took 1m 30s a 5",
                                          "took 2m 59.5s a 5",
                                          "x 1m 30s a 5",
                                          "x 59.5 a 5",
                                          "took 59.5s a 5",
                                          "took 0,250 s",
                                          "took 1,250 s",
                                          "loss 2.5 tok/s 1,000 lr 1",
                                          "loss 2.5 tok/s 900 lr 1",
                                          "a 5 b 10 c 1",
                                          "a 12 b 2023-07-28 06:51:52 c 1",
                                          "a 5 b 127.0.0.1 c 1",
                                          "0.35 (0.36) x",
                                          "1 (0.36) x",
                                          "2 (3) x",
                                          "10/50 [00:10<00:40, 1.0it/s]",
                                          "11/50 [00:11<00:39, 1.0it/s]",
                                          "12/50 [01:00:11<00:39, 2.0s/it]"};
  LineFields used;
  for (int round = 0; round < 2; ++round) {
    for (const std::string& line : lines) {
      LineFields fresh;
      fresh.read(line);
      used.read(line);
      ASSERT_EQ(used.fields().size(), fresh.fields().size()) << line;
      for (std::size_t i = 0; i < fresh.fields().size(); ++i) {
        const LineField& one = used.fields()[i];
        const LineField& other = fresh.fields()[i];
        EXPECT_EQ(std::tie(one.id, one.lead, one.number, one.value, one.resolution, one.whole),
                  std::tie(other.id, other.lead, other.number, other.value, other.resolution,
                           other.whole))
            << line;
        EXPECT_EQ(std::tie(one.begin, one.end, one.unit_end, one.words, one.bracketed),
                  std::tie(other.begin, other.end, other.unit_end, other.words, other.bracketed))
            << line;
        EXPECT_EQ(one.quantity.kind, other.quantity.kind) << line;
        EXPECT_EQ(used.words_of(one), fresh.words_of(other)) << line;
      }
    }
  }
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
