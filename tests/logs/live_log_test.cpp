#include "logs/live_log.h"

#include <gtest/gtest.h>

#include "base/error.h"
#include "logs/made_up_logs.h"

namespace trainmark {
namespace {

std::string header = "batch_size: 8\n";

std::string seg_lines(int count) {
  return header + lines_of(count, [](int step) { return seg_line(step, 16, 0.5); });
}

double rate_of(const LiveLog& log) {
  const PrintedSteps printed = log.steps();
  return throughput(printed.steps, {0, printed.steps.size()}).value;
}

TEST(LiveLog, FindsTheDialectFromTheFirstRecords) {
  LiveLog log({.given = {.gpus = 8}});
  log.feed(0, seg_lines(3), 1);
  EXPECT_EQ(log.dialect(), "");
  EXPECT_TRUE(log.steps().steps.empty());
  log.feed(0, lines_of(4, [](int step) { return seg_line(step + 3, 16, 0.5); }), 2);
  EXPECT_EQ(log.dialect(), "paddleseg");
  EXPECT_EQ(log.steps().steps.size(), 6U) << "of 7 records, those before the decision included";
  EXPECT_DOUBLE_EQ(rate_of(log), 128) << "8 ranks";
}

TEST(LiveLog, ReadsPiecesOfAnySize) {
  const std::string text = seg_lines(20);
  LiveLog whole({.dialect = "paddleseg"});
  whole.feed(0, text, 1);
  for (const std::size_t size : {1U, 7U, 100U}) {
    LiveLog log({.dialect = "paddleseg"});
    for (std::size_t at = 0; at < text.size(); at += size) log.feed(0, text.substr(at, size), 1);
    EXPECT_EQ(log.records(), whole.records());
  }
}

TEST(LiveLog, KeepsTheTwoStreamsApart) {
  LiveLog log({.dialect = "paddleseg"});
  const std::string line = seg_line(1, 16, 0.5) + "\n";
  log.feed(0, line.substr(0, 60), 1);
  log.feed(1, "a warning in the middle\n", 1);
  log.feed(0, line.substr(60), 1);
  EXPECT_EQ(log.records(), 1U);
  EXPECT_EQ(log.lines(), 2U);
}

TEST(LiveLog, GivesTheFigureOfTheWholeLogAtTheEnd) {
  LiveLog log({.given = {.gpus = 2}});
  log.feed(0, seg_lines(40), 1);
  EXPECT_FALSE(log.figure());
  log.finish();
  ASSERT_TRUE(log.figure());
  EXPECT_EQ(log.figure()->batch, 8);
  EXPECT_EQ(log.figure()->taken_from.at("gpus"), "--gpus");
  EXPECT_DOUBLE_EQ(log.figure()->throughput, 32);
  EXPECT_EQ(log.records(), 40U);
  EXPECT_DOUBLE_EQ(rate_of(log), 32);
}

TEST(LiveLog, DecidesAtTheEndForAFewRecords) {
  LiveLog log({});
  std::string text = seg_lines(3);
  text.pop_back();  // the last line has no end
  log.feed(0, text, 1);
  log.finish();
  EXPECT_EQ(log.dialect(), "paddleseg");
  EXPECT_EQ(log.records(), 3U);
}

TEST(LiveLog, SurvivesWhatIsNoLog) {
  LiveLog log({});
  std::string noise;
  for (unsigned i = 0; i < 3'000'000; ++i) noise += static_cast<char>(i * 7919U >> 3);
  for (int i = 0; i < 2; ++i) log.feed(i, noise, i);
  log.feed(0, std::string(5'000'000, 'x'), 11);
  log.finish();
  EXPECT_FALSE(log.figure());
  EXPECT_TRUE(log.steps().steps.empty());
}

TEST(LiveLog, RemembersHowItEnded) {
  LiveLog log({});
  log.feed(1, "RuntimeError: CUDA out of memory. Tried to allocate 2 GiB\n\n", 1);
  EXPECT_TRUE(log.ran_out_of_memory());
  EXPECT_EQ(log.last_line(), "RuntimeError: CUDA out of memory. Tried to allocate 2 GiB");
}

TEST(LiveLog, CountsAccumulatedBatchesWhereTheLinesDoNotTell) {
  const auto line = [](int step) {
    return fmt::format(
        "mmseg - INFO - Iter [{}/400]\tlr: 0.01, time: 0.500, data_time: 0.010, loss: 3.0", step);
  };
  LiveLog log({.dialect = "mmcv", .given = {.gpus = 2, .batch = 4}, .accumulate = 3});
  log.feed(0, lines_of(10, line), 1);
  EXPECT_DOUBLE_EQ(rate_of(log), 2 * 4 * 3 / 0.5);
}

std::string counter_line(int step) {
  return fmt::format("step {} loss 0.5", 10 * step);
}

TEST(LiveLog, LearnsFromLinesThatNoDialectKnows) {
  LiveLog log({});
  for (int i = 1; i <= 40; ++i) log.feed(0, counter_line(i) + "\n", 0.5 * i);
  EXPECT_EQ(log.dialect(), "generic");
  EXPECT_NEAR(rate_of(log), 20, 0.01) << "steps, by the moments at which the lines came";
  log.finish();
  ASSERT_TRUE(log.figure());
  EXPECT_EQ(log.figure()->unit, "steps/s");
}

/// The text of a bar comes behind a carriage return; the line ends when it is written over.
TEST(LiveLog, KnowsWhenALineCameAndNotWhenItEnded) {
  LiveLog log({});
  double now = 0;
  for (int pass = 0; pass < 4; ++pass) {
    for (int n = 10; n <= 100; n += 10) log.feed(0, fmt::format("\r{}/100 loss 0.5", n), now += 1);
    log.feed(0, "\n", now);
  }
  log.finish();
  EXPECT_NEAR(rate_of(log), 10, 0.01);
}

TEST(LiveLog, ABarThatIsWrittenOverLaterCameWhenItWasWritten) {
  LiveLog log({});
  double now = 0;
  for (int pass = 0; pass < 4; ++pass)
    for (int n = 10; n <= 100; n += 10) {
      log.feed(0, fmt::format("{}/100 loss 0.5", n), now += 1);
      log.feed(0, n < 100 ? "\r" : "\n", now + 0.009 * n);
    }
  log.finish();
  EXPECT_NEAR(rate_of(log), 10, 0.01);
}

/// tqdm's own bars, ten states per second and one bar per epoch, are no Trainer of Hugging Face,
/// whose bar they are: that would read a record per second.
TEST(LiveLog, ReadsEveryStateOfABarThatNobodyElseDraws) {
  LiveLog log({});
  double now = 0;
  for (int pass = 0; pass < 3; ++pass) {
    for (int n = 20; n <= 5000; n += 20)
      log.feed(1,
               fmt::format("\r{:3}%|##        | {}/5000 [00:{:02}<00:25, 200.00it/s, loss=0.512]",
                           n / 50, n, n / 200),
               now += 0.1);
    log.feed(1, "\n", now);
  }
  EXPECT_EQ(log.dialect(), "generic");
  EXPECT_GT(log.steps().steps.size(), 700U);
  EXPECT_NEAR(rate_of(log), 200, 0.1);
}

/// Bars of a second or longer per state are the library's; each epoch has one of its own.
TEST(LiveLog, ABarPerEpochIsOneTraining) {
  LiveLog log({});
  log.feed(1, "***** Running training *****\n", 0);
  double now = 0;
  for (int pass = 0; pass < 4; ++pass) {
    for (int n = 2; n <= 20; n += 2)
      log.feed(
          1, fmt::format("\r{:3}%|##        | {}/20 [00:{:02}<00:20,  2.00it/s]", 5 * n, n, n / 2),
          now += 1);
    log.feed(1, "\n", now);
  }
  EXPECT_EQ(log.dialect(), "hf_trainer");
  EXPECT_GT(log.steps().steps.size(), 35U) << "of all four bars";
  EXPECT_NEAR(rate_of(log), 2, 0.05);
}

/// A batch of images is no step of a bar that counts images.
TEST(LiveLog, ABarOfImagesIsNotMultipliedByTheBatch) {
  LiveLog log({.given = {.gpus = 1, .batch = 64}});
  for (int n = 1; n <= 200; ++n)
    log.feed(1,
             fmt::format("\rEpoch 0: 10%|##   | {}/64000 [00:{:02}<05:00, 128.00img/s, loss=0.5]",
                         64 * n, n / 2),
             0.5 * n);
  log.finish();
  EXPECT_EQ(log.dialect(), "generic");
  const PrintedSteps printed = log.steps();
  EXPECT_NEAR(rate_of(log), 128, 1);
  const auto clock = clock_window(printed, {0, printed.steps.size()}, 64);
  ASSERT_TRUE(clock);
  EXPECT_NEAR(clock->throughput(), 128, 1);
}

TEST(LiveLog, CountsStepsWhereTheBatchIsNotKnown) {
  LiveLog log({.dialect = "mmcv"});
  log.feed(0,
           lines_of(10,
                    [](int step) {
                      return fmt::format(
                          "mmseg - INFO - Iter [{}/400]\tlr: 0.01, time: 0.500, loss: 3.0", step);
                    }),
           1);
  EXPECT_DOUBLE_EQ(rate_of(log), 2);
}

TEST(LiveLog, PrefersADialectToAGuess) {
  LiveLog log({.given = {.gpus = 1}});
  for (int i = 1; i <= 20; ++i) log.feed(0, counter_line(i) + "\n", 0.5 * i);
  EXPECT_EQ(log.dialect(), "generic");
  log.feed(0, seg_lines(20), 20);
  EXPECT_EQ(log.dialect(), "paddleseg");
}

TEST(LiveLog, GivesUpAfterAFewDozenLinesThatTellNothing) {
  LiveLog log({});
  log.feed(0, lines_of(5000, [](int) { return std::string("  - weight decay 0.5"); }), 1);
  EXPECT_FALSE(log.is_hopeless()) << "a long header comes at once";
  for (int i = 0; i < 70; ++i) log.feed(0, "loss 0.5 acc 0.7\n", 2 + 0.1 * i);
  EXPECT_TRUE(log.is_hopeless());
  EXPECT_EQ(log.sample_lines(), std::vector<std::string>(2, "loss 0.5 acc 0.7"));
}

TEST(LiveLog, WaitsForWhatTheUserHasDescribed) {
  LiveLog log({.pattern = "it (?P<step>\\d+) (?P<rate>[\\d.]+)"});
  for (int i = 0; i < 500; ++i) log.feed(0, "loss 0.5 acc 0.7\n", 0.1 * i);
  EXPECT_FALSE(log.is_hopeless());
}

TEST(LiveLog, CountsMarkedLines) {
  LiveLog log({.marker = "done"});
  for (int i = 1; i <= 40; ++i) log.feed(0, "noise\na step is done\n", 0.25 * i);
  EXPECT_NEAR(rate_of(log), 4, 0.01);
}

TEST(LiveLog, RefusesWhatCannotBeRead) {
  EXPECT_THROW(check_live_options({.dialect = "mmcv", .marker = "x"}), UserError);
  EXPECT_NO_THROW(check_live_options({.dialect = "generic"}));
  EXPECT_THROW(check_live_options({.dialect = "padleclas"}), UserError);
  EXPECT_THROW(check_live_options({.pattern = "(?P<rate>"}), UserError);
  EXPECT_THROW(check_live_options({.dialect = "mmcv", .pattern = "(?P<rate>x)"}), UserError);
  EXPECT_THROW(check_live_options({.scope = "world"}), UserError);
  EXPECT_NO_THROW(check_live_options({}));
}

}  // namespace
}  // namespace trainmark
