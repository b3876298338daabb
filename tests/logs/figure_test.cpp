#include "logs/figure.h"

#include <gtest/gtest.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "base/error.h"
#include "case_name.h"
#include "logs/grammar/pattern_dialect.h"
#include "made_up_logs.h"
#include "user_error.h"

namespace trainmark {
namespace {

constexpr double wobble[] = {0.3, -0.2, 0.1, -0.4, 0.2, 0, -0.1, 0.4};

double rate_at(int step, double level) {
  return level * (1 + 0.01 * wobble[step % 8]);
}

/// A steady log whose first records are slow.
std::string seg_log(int count, double level) {
  return lines_of(count, [&](int step) {
    const double rate = step <= 2 ? level / 5 : rate_at(step, level);
    return seg_line(step, rate, 8 / rate);
  });
}

TEST(BlindFigure, CutsTheWarmUpAndCountsAllGpus) {
  const LogFigure figure = blind(seg_log(40, 16), "paddleseg", {.gpus = 4, .batch = 8});
  EXPECT_NEAR(figure.throughput, 64, 0.1);
  EXPECT_EQ(figure.method, "items / time");
  EXPECT_EQ(figure.scope, Scope::rank);
  EXPECT_EQ(figure.records, 40U);
  EXPECT_EQ(figure.used + figure.first_used, 40U);
  EXPECT_GE(figure.first_used, 2U);
  EXPECT_LT(figure.interval.low, 64);
  EXPECT_GT(figure.interval.high, 64);
  EXPECT_LT(figure.interval.high - figure.interval.low, 1);
  EXPECT_EQ(figure.unit, "samples/s");
  EXPECT_EQ(figure.taken_from.at("gpus"), "--gpus");
  EXPECT_TRUE(figure.verdicts.empty());
}

TEST(BlindFigure, CountsTheGpusOfAllNodes) {
  const LogFigure figure =
      blind("launch --nnodes=2 nproc_per_node=8\n" + seg_log(40, 16), "paddleseg", {.batch = 8});
  EXPECT_EQ(figure.gpus, 16);
  EXPECT_EQ(figure.nodes, 2);
  EXPECT_NEAR(figure.throughput, 256, 0.5);
}

TEST(BlindFigure, DividesABatchOfAllGpus) {
  const std::string log = "batch_size: 256\nGPUs used: 8\n" + seg_log(40, 16);
  Dialect dialect = dialect_named("paddleseg");
  EXPECT_EQ(blind_figure(read_text(log, "paddleseg"), dialect, {}).batch, 256);
  dialect.batch_is_global = true;
  EXPECT_EQ(blind_figure(read_text(log, "paddleseg"), dialect, {}).batch, 32);
}

TEST(BlindFigure, SaysThatTheNumberOfGpusIsNotKnown) {
  const LogFigure figure = blind(seg_log(40, 16), "paddleseg");
  EXPECT_NEAR(figure.throughput, 16, 0.1);
  EXPECT_TRUE(has_verdict(figure, "gpus-unknown"));
}

TEST(BlindFigure, TimesAloneCountStepsUntilTheBatchIsKnown) {
  const std::string log = lines_of(30, [](int step) {
    return fmt::format("Iter [{}/400]\tlr: 0.1, time: {:.3f}, data_time: 0.4, loss: 3.0", step,
                       rate_at(step, 0.5));
  });
  EXPECT_NEAR(blind(log, "mmcv", {.gpus = 8, .batch = 4}).throughput, 64, 0.3);
  const LogFigure unknown = blind(log, "mmcv", {.gpus = 8});
  EXPECT_NEAR(unknown.throughput, 2, 0.01);
  EXPECT_EQ(unknown.unit, "steps/s");
  EXPECT_NEAR(unknown.steps_per_second, 2, 0.01);
  EXPECT_TRUE(has_verdict(unknown, "batch-unknown"));
  EXPECT_TRUE(has_verdict(blind(log, "mmcv", {.batch = 4}), "gpus-unknown"));
}

TEST(BlindFigure, ShowsPrintedRatesWhereStallsMoveItemsOverTime) {
  // Every tenth record is five times slower: items ÷ time and the mean of rates part.
  const std::string log = lines_of(60, [](int step) {
    const double rate = step % 10 == 0 ? 20 : rate_at(step, 100);
    return seg_line(step, rate, 8 / rate);
  });
  const LogFigure figure = blind(log, "paddleseg", {.gpus = 1, .batch = 8});
  EXPECT_EQ(figure.method, "printed rates");
  EXPECT_NEAR(figure.throughput, figure.mean, 1e-9);
  EXPECT_LT(figure.items_over_time, 0.85 * figure.throughput);
  EXPECT_TRUE(has_verdict(figure, "mean-of-rates-differs"));
}

TEST(BlindFigure, IsItemsOverTimeWhereTheLogPrintsTimesAndNoRates) {
  // A loaded machine: some steps end as soon as they begin, after one that took long.
  double end = 0;
  const std::string log = lines_of(60, [&](int step) {
    const double seconds = step % 2 == 0 ? 1e-5 : 0.02;
    end += seconds;
    return fmt::format(R"({{"event":"step","step":{},"end":{},"seconds":{},"items":8,"loss":1.5}})",
                       step, end, seconds);
  });
  const LogFigure figure = blind(log, "trainmark", {.gpus = 1});
  EXPECT_EQ(figure.method, "items / time");
  EXPECT_NEAR(figure.throughput, 16 / 0.02001, 20);
  EXPECT_DOUBLE_EQ(figure.throughput, figure.items_over_time);
  EXPECT_TRUE(has_verdict(figure, "mean-of-rates-differs"));
}

TEST(BlindFigure, IsItemsOverTimeWhereAFewPrintedRatesAreFarFaster) {
  const std::string log = lines_of(60, [](int step) {
    const double rate = step % 10 == 0 ? 5000 : rate_at(step, 100);
    return seg_line(step, rate, 8 / rate);
  });
  const LogFigure figure = blind(log, "paddleseg", {.gpus = 1, .batch = 8});
  EXPECT_EQ(figure.method, "items / time");
  EXPECT_LT(figure.throughput, 120);
  EXPECT_TRUE(has_verdict(figure, "mean-of-rates-differs"));
}

TEST(BlindFigure, FewRecordsGiveAFigureWithAWarning) {
  const LogFigure figure = blind(seg_log(5, 16), "paddleseg", {.gpus = 1, .batch = 8});
  EXPECT_NEAR(figure.throughput, 16, 0.2);
  EXPECT_EQ(figure.used, 3U);
  EXPECT_TRUE(has_verdict(figure, "too-few-records"));
}

TEST(BlindFigure, TakesTheRunThatFitsAndSaysThatThereAreTwo) {
  const auto run = [](const char* header, double level) {
    return header + lines_of(20, [&](int step) { return plsc_line(step, rate_at(step, level)); });
  };
  const std::string log = run("num_gpus: 1\n", 100) + run("num_gpus: 8\n", 800);
  const LogFigure last = blind(log, "plsc");
  EXPECT_NEAR(last.throughput, 800, 5);
  EXPECT_EQ(last.runs, 2U);
  EXPECT_EQ(last.run, 2U);
  EXPECT_TRUE(has_verdict(last, "several-runs"));
  EXPECT_EQ(*last.gpus, 8);
  EXPECT_NEAR(blind(log, "plsc", {.gpus = 1}).throughput, 100, 1);
}

TEST(BlindFigure, AnAbortedFirstAttemptIsNotTheFigure) {
  const auto lines = [](int count, double level) {
    return lines_of(count, [&](int step) { return plsc_line(step, rate_at(step, level)); });
  };
  EXPECT_NEAR(blind(lines(4, 50) + lines(30, 100), "plsc").throughput, 100, 1);
  EXPECT_NEAR(blind(lines(30, 100) + lines(4, 50), "plsc").throughput, 100, 1);
}

TEST(BlindFigure, RanksThatPrintTheSameRecordAreCountedOnce) {
  const std::string log = lines_of(30, [](int step) {
    const std::string line = plsc_line(step, rate_at(step, 100));
    return "[1,0]<stdout>:" + line + "\n[1,1]<stdout>:" + line;
  });
  const LogFigure figure = blind(log, "plsc");
  EXPECT_NEAR(figure.throughput, 100, 1);
  EXPECT_EQ(figure.records, 30U);
  EXPECT_TRUE(has_verdict(figure, "ranks-repeat"));
}

TEST(BlindFigure, OfSeveralRanksThatTellTheRateOfTheJobTheFirstIsRead) {
  const std::string log = lines_of(30, [](int step) {
    return "[1,0]<stdout>:" + plsc_line(step, rate_at(step, 100)) +
           "\n[1,1]<stdout>:" + plsc_line(step, rate_at(step, 60));
  });
  const LogFigure figure = blind(log, "plsc");
  EXPECT_NEAR(figure.throughput, 100, 1);
  EXPECT_EQ(figure.records, 30U);
}

TEST(BlindFigure, ASlowRankIsNamed) {
  const std::string log = lines_of(30, [](int step) {
    std::string lines;
    for (int rank = 0; rank < 4; ++rank) {
      if (rank > 0) lines += '\n';
      lines += fmt::format("[1,{}]<stdout>:", rank) + seg_line(step, rank == 2 ? 80 : 100, 0.1);
    }
    return lines;
  });
  const LogFigure figure = blind(log, "paddleseg", {.gpus = 4});
  EXPECT_EQ(figure.ranks.size(), 4U);
  EXPECT_NEAR(figure.ranks.at(2), 80, 0.1);
  EXPECT_TRUE(has_verdict(figure, "straggler"));
}

TEST(BlindFigure, WholeEpochsGoBeforeIterations) {
  std::string log;
  for (int epoch = 0; epoch < 3; ++epoch) {
    for (int step = 19; step < 400; step += 20)
      log += fmt::format(
          "DLL 2024-01-02 03:04:05.000000 - Epoch: {} Iteration: {}  train.ips : 1000 x\n", epoch,
          step);
    log += fmt::format("DLL 2024-01-02 03:04:05.000000 - Epoch: {}  train.ips : {} images/s\n",
                       epoch, epoch == 0 ? 500 : 900);
  }
  const LogFigure figure = blind(log, "dll_mxnet");
  EXPECT_NEAR(figure.throughput, 900, 1e-6);
  EXPECT_EQ(figure.method, "epochs");
  EXPECT_EQ(figure.used, 2U);
}

struct Doubt {
  const char* verdict;
  std::string before, after;
  double seconds;
  GivenFacts given;

  friend void PrintTo(const Doubt& it, std::ostream* out) { *out << it.verdict; }
};

class Doubts : public testing::TestWithParam<Doubt> {};

TEST_P(Doubts, AreNamedBesideTheFigure) {
  const Doubt& doubt = GetParam();
  const auto steady = [&](int step) {
    return seg_line(step, rate_at(step, 16), doubt.seconds * 16 / rate_at(step, 16));
  };
  const std::string steps = lines_of(40, steady);
  EXPECT_FALSE(has_verdict(blind(lines_of(40,
                                          [](int step) {
                                            return seg_line(step, rate_at(step, 16),
                                                            8 / rate_at(step, 16));
                                          }),
                                 "paddleseg", {.gpus = 1, .batch = 8}),
                           doubt.verdict));
  EXPECT_TRUE(has_verdict(blind(doubt.before + steps + doubt.after, "paddleseg", doubt.given),
                          doubt.verdict));
}

INSTANTIATE_TEST_SUITE_P(
    Table, Doubts,
    testing::Values(
        Doubt{"rate-not-batch-over-time", "", "", 0.5, {.gpus = 1, .batch = 4}},
        Doubt{"header-older",
              "2023-06-01 00:00:00 configuration\n",
              "",
              0.5,
              {.gpus = 1, .batch = 8}},
        Doubt{"header-older",
              "2025-06-01 00:00:00 configuration\n",
              "",
              0.5,
              {.gpus = 1, .batch = 8}},
        Doubt{"batch-differs", "Train.sampler.batch_size=16\n", "", 0.5, {.gpus = 1, .batch = 8}},
        Doubt{"gpus-differs", "GPUs used: 2\n", "", 0.5, {.gpus = 1, .batch = 8}},
        Doubt{"gpus-uncertain", "gpus: 0,1,2,3\n", "", 0.5, {.batch = 8}},
        Doubt{"decoys", "", "[EVAL] ips: 77 samples/sec\n", 0.5, {.gpus = 1, .batch = 8}},
        Doubt{"loss-nan",
              "",
              "[TRAIN] epoch: 1, iter: 500/500, loss: nan, batch_cost: 0.5, ips: 16.0\n",
              0.5,
              {.gpus = 1, .batch = 8}},
        Doubt{"lines-cut", std::string(400'000, 'x') + "\n", "", 0.5, {.gpus = 1, .batch = 8}}),
    numbered_cases);

TEST(BlindFigure, TheProgramsOwnSummaryIsCompared) {
  const std::string log =
      lines_of(30,
               [](int step) {
                 return fmt::format("DLL 2024-01-02 03:04:05.000000 - (0, {}) total_ips : {}", step,
                                    rate_at(step, 100));
               }) +
      "DLL 2024-01-02 03:05:05.000000 - () train_throughput : 80 images/s\n";
  EXPECT_TRUE(has_verdict(blind(log, "dll_resnet50_tf"), "summary-differs"));
}

TEST(BlindFigure, MemoryIsBoundedAndTheFigureStays) {
  ReadOptions options;
  options.most_records = 64;
  const std::string log =
      lines_of(5000, [](int step) { return plsc_line(step, rate_at(step, 100)); });
  const LogContents contents = read_text(log, "plsc", options);
  EXPECT_LE(contents.records.size(), 64U);
  EXPECT_EQ(contents.found, 5000U);
  const LogFigure figure = blind_figure(contents, dialect_named("plsc"), {});
  EXPECT_NEAR(figure.throughput, 100, 0.1);
  EXPECT_TRUE(has_verdict(figure, "records-merged"));
}

TEST(BlindFigure, JsonHoldsWhatIsNeededToDefendIt) {
  const LogFigure figure = blind(seg_log(40, 16), "paddleseg", {.gpus = 4, .batch = 8});
  const nlohmann::json json = figure;
  for (const char* name :
       {"file", "dialect", "confidence", "unit", "throughput", "scope", "gpus", "batch", "records",
        "used", "mean", "median", "low", "high", "verdicts", "taken_from"})
    EXPECT_TRUE(json.contains(name)) << name;
}

TEST(Pattern, ReadsAnythingElse) {
  const Dialect dialect =
      pattern_dialect(R"(it (?P<step>\d+) speed (?P<rate>[\d.]+) loss (?P<loss>\S+))", Scope::rank);
  LineReader lines(std::make_unique<PiecewiseSource>(lines_of(20, [](int step) {
    return fmt::format("it {} speed {} loss nan", step, rate_at(step, 10));
  })));
  const LogContents contents = read_log(lines, "pattern", dialect);
  ASSERT_EQ(contents.found, 20U);
  EXPECT_EQ(contents.records[4].step, 5);
  EXPECT_TRUE(contents.records[4].has_loss);
  EXPECT_NEAR(blind_figure(contents, dialect, {.gpus = 3}).throughput, 30, 0.3);
}

TEST(Pattern, ReadsNothingWhereNoNumberStands) {
  const Dialect dialect = pattern_dialect(R"(speed (?P<rate>\S+))", Scope::job);
  LineReader lines(std::make_unique<PiecewiseSource>("speed unknown\nspeed 5\n"));
  EXPECT_EQ(read_log(lines, "pattern", dialect).found, 1U);
}

TEST(Pattern, SaysWhatIsWrongWithAnExpression) {
  for (const char* wrong : {"(", "no groups", "(?P<step>x)", "(?P<rat>\\d+)"})
    EXPECT_THROW(pattern_dialect(wrong, Scope::job), UserError) << wrong;
}

TEST(BlindFigure, ARateThatCannotBeIsNone) {
  const std::string log = lines_of(20, [](int step) { return plsc_line(step, 1e308); });
  const LogFigure figure = blind(log, "plsc");
  EXPECT_TRUE(std::isnan(figure.throughput));
  EXPECT_TRUE(has_verdict(figure, "no-figure"));
}

struct UnitCase {
  const char* expression;
  const char* value;  // of step N, as it is printed
  double throughput;  // of batches of 8

  friend void PrintTo(const UnitCase& it, std::ostream* out) { *out << it.expression; }
};

/// Reads thirty lines that end in the value.
LogFigure figure_of_pattern(const std::string& expression, const std::string& value) {
  const Dialect dialect = pattern_dialect(expression, Scope::job);
  const std::string log =
      lines_of(30, [&](int step) { return fmt::format("step {} speed {}", step, value); });
  LineReader lines(std::make_unique<TextSource>(log));
  const LogContents contents = read_log(lines, "pattern", dialect);
  if (!dialect.objection().empty()) throw UserError(dialect.objection());
  return blind_figure(contents, dialect, {.gpus = 1, .batch = 8});
}

class PatternUnits : public testing::TestWithParam<UnitCase> {};

TEST_P(PatternUnits, AreTakenIntoAccount) {
  const UnitCase& it = GetParam();
  EXPECT_NEAR(figure_of_pattern(it.expression, it.value).throughput, it.throughput, 1e-6);
}

INSTANTIATE_TEST_SUITE_P(
    Table, PatternUnits,
    testing::Values(
        UnitCase{R"(step (?P<step>\d+) speed (?P<time>[\d.]+))", "0.25", 32},
        UnitCase{R"(step (?P<step>\d+) speed (?P<time>[\d.]+) s)", "0.25 s", 32},
        UnitCase{R"(step (?P<step>\d+) speed (?P<time:ms>[\d.]+))", "250", 32},
        UnitCase{R"(step (?P<step>\d+) speed (?P<time:ms>[\d.]+) ms)", "250 ms/step", 32},
        UnitCase{R"(step (?P<step>\d+) speed (?P<time:us>[\d.]+))", "250000", 32},
        UnitCase{R"(step (?P<step>\d+) speed (?P<rate>[\d.]+))", "32 img/s", 32},
        UnitCase{R"(step (?P<step>\d+) speed (?P<rate:it/s>[\d.]+))", "4.0it/s", 32},
        UnitCase{R"(step (?P<step>\d+) speed (?P<rate:s/it>[\d.]+))", "0.25s/it", 32},
        UnitCase{R"(step (?P<step>\d+) speed (?P<rate:images/min>[\d.]+))", "1920", 32},
        UnitCase{R"(step (?P<step>\d+) speed (?P<rate>[\d.,]+))", "1,512.00 img/s", 1512}),
    [](const auto& it) { return fmt::format("case{}", it.index); });

TEST(PatternUnit, IsNamedByTheFigure) {
  EXPECT_EQ(figure_of_pattern(R"(speed (?P<rate:tokens/s>[\d.]+))", "32").unit, "tokens/s");
  EXPECT_EQ(figure_of_pattern(R"(speed (?P<rate:steps/s>[\d.]+))", "4 steps/s").unit, "items/s");
  // Whoever names the items knows better than the line.
  EXPECT_EQ(figure_of_pattern(R"(speed (?P<rate:items/s>[\d.]+))", "4 steps/s").throughput, 4);
}

TEST(PatternUnit, ThatIsUnknownIsRefusedWithTheList) {
  const auto refusal = [](const char* expression) {
    return user_error_of([&] { pattern_dialect(expression, Scope::job); });
  };
  EXPECT_NE(refusal("(?P<time:parsec>x)").find("s, ms, us, ns, min, h"), std::string::npos);
  EXPECT_NE(refusal("(?P<time:it/s>x)").find("'it/s'"), std::string::npos);
  EXPECT_NE(refusal("(?P<rate:ms>x)").find("it/s"), std::string::npos);
  EXPECT_NE(refusal("(?P<rate>x)(?P<step:ms>x)").find("'step' has no unit"), std::string::npos);
}

TEST(PatternUnit, ThatTheLineContradictsIsRefused) {
  const auto refusal = [](const char* expression, const char* value) {
    return user_error_of([&] { figure_of_pattern(expression, value); });
  };
  EXPECT_NE(refusal(R"(speed (?P<time>[\d.]+))", "250 ms").find("(?P<time:ms>"), std::string::npos);
  EXPECT_NE(refusal(R"(speed (?P<time>\S+))", "250ms").find("(?P<time:ms>"), std::string::npos);
  EXPECT_NE(refusal(R"(speed (?P<rate>[\d.]+))", "4 it/s").find("(?P<rate:it/s>"),
            std::string::npos);
  EXPECT_NE(refusal(R"(speed (?P<time:ms>[\d.]+))", "0.25 s").find("(?P<time:s>"),
            std::string::npos);
  EXPECT_NE(refusal(R"(speed (?P<rate>[\d.]+))", "1,512.00 img/s").find("comma"),
            std::string::npos);
  EXPECT_EQ(refusal(R"(step (?P<step>\d+) speed \d+,(?P<rate>[\d.]+))", "5,512.00 img/s"), "");
  EXPECT_EQ(refusal(R"(speed (?P<loss>\d+),(?P<rate>[\d.]+))", "5,512.00 img/s"), "");
}

}  // namespace
}  // namespace trainmark
