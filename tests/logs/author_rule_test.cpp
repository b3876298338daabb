#include "logs/author_rule.h"

#include <gtest/gtest.h>

#include "base/error.h"
#include "made_up_logs.h"

namespace trainmark {
namespace {

double figure(const std::string& words, const std::string& log, const JobSize& job = {1, 1, 1},
              const std::string& dialect = "plsc") {
  const AuthorRule rule = parse_author_rule(words);
  ReadOptions options;
  options.field = rule.field.empty() ? dialect_named(dialect).field : rule.field;
  options.keep_repeats = true;
  options.stamps = rule.from_stamps;
  return apply_rule(rule, read_text(log, dialect, options), dialect_named(dialect).scope, job)
      .value;
}

/// Rates 1, 2, 3, … at the steps 1, 2, 3, …
std::string rising(int count) {
  return lines_of(count, [](int step) { return plsc_line(step, step); });
}

TEST(AuthorRule, WordsDoWhatTheySay) {
  const std::string log = rising(20);
  EXPECT_DOUBLE_EQ(figure("agg=mean", log), 10.5);
  EXPECT_DOUBLE_EQ(figure("skip=10 agg=mean", log), 15.5);
  EXPECT_DOUBLE_EQ(figure("skip=10 take=4 agg=mean", log), 12.5);
  EXPECT_DOUBLE_EQ(figure("skip=2 trim=5or5% agg=mean", log), 11.5);
  EXPECT_DOUBLE_EQ(figure("agg=median", log), 10.5);
  EXPECT_DOUBLE_EQ(figure("agg=last", log), 20);
  EXPECT_DOUBLE_EQ(figure("skip=3 agg=min", log), 4);
  EXPECT_DOUBLE_EQ(figure("agg=last scale=gpus", log, {8, 2, 4}), 160);
  EXPECT_DOUBLE_EQ(figure("agg=last scale=nodes", log, {8, 2, 4}), 40);
  EXPECT_DOUBLE_EQ(figure("agg=last scale=bs*gpus/x", log, {8, 2, 4}), 1.6);
  EXPECT_DOUBLE_EQ(figure("field=loss agg=mean", log), 40.5);
  EXPECT_DOUBLE_EQ(figure("run=2 agg=mean", log + rising(4)), 2.5);
}

TEST(AuthorRule, WithoutAScaleTheFigureIsThatOfTheJob) {
  const JobSize job{.gpus = 16, .nodes = 2, .batch = 4};
  const auto sample = [&](const std::string& dialect) {
    return figure("agg=last", dialect_named(dialect).sample + "\n", job, dialect);
  };
  EXPECT_DOUBLE_EQ(sample("paddleclas"), 16 * 512) << "each rank prints its own rate";
  EXPECT_DOUBLE_EQ(sample("mxnet"), 2 * 2000.5) << "each node prints its own rate";
  EXPECT_DOUBLE_EQ(figure("agg=last", rising(20), job), 20) << "the rate of the job is printed";
}

TEST(AuthorRule, TrimDropsAShareOfManyAndACountOfFew) {
  EXPECT_DOUBLE_EQ(figure("trim=1or10% agg=min", rising(100)), 11);
  EXPECT_DOUBLE_EQ(figure("trim=20or10% agg=min", rising(100)), 21);
}

TEST(AuthorRule, ThePresetsOfDlperfLookAtTheIterations51To150) {
  EXPECT_DOUBLE_EQ(figure("printed", rising(300)), 100.5);
  // One step a second, 4 GPUs with 32 each.
  EXPECT_NEAR(figure("time", rising(300), {4, 1, 32}), 128, 1e-9);
}

TEST(AuthorRule, TableRowsAreChosenByTheirGpus) {
  const std::string log = "train.ips\n  |  128  |\n--------\n  1  |  390.5  |\n  8  |  2957.8  |\n";
  EXPECT_DOUBLE_EQ(
      figure("records=table field=train.ips row=8 agg=last scale=1", log, {}, "dll_mxnet"), 2957.8);
}

TEST(AuthorRule, MistakesAreExplained) {
  for (const char* wrong : {"skp=1", "skip", "skip=x", "agg=mode", "records=steps", "trim=5",
                            "trim=5or60%", "run=0", "scale=gpu", "prnted"})
    EXPECT_THROW(parse_author_rule(wrong), UserError) << wrong;
  EXPECT_THROW(figure("skip=100", rising(20)), UserError);
  EXPECT_THROW(figure("trim=10or5%", rising(20)), UserError);
  EXPECT_THROW(figure("scale=gpus", rising(20), {}), UserError);
  EXPECT_THROW(figure("records=epoch", rising(20)), UserError);
}

}  // namespace
}  // namespace trainmark
