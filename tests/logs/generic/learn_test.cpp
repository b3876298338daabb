// What the generic reader makes of logs of many shapes; all of them are made up.

#include "logs/generic/learn.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>

#include "logs/figure.h"
#include "logs/generic/generic_dialect.h"
#include "logs/generic/scheme_words.h"
#include "logs/grammar/pattern_dialect.h"
#include "logs/learned.h"
#include "logs/text/text_source.h"

namespace trainmark {
namespace {

/// Lines 1 to `count` of a log.
std::string lines_of(int count, const std::function<std::string(int)>& line) {
  std::string text;
  for (int i = 1; i <= count; ++i) text += line(i) + "\n";
  return text;
}

LineReader reader_of(const std::string& text) {
  return LineReader(std::make_unique<TextSource>(text));
}

std::optional<LogScheme> learn(const std::string& text) {
  LineReader lines = reader_of(text);
  FormatLearner learner;
  for (std::string_view line; lines.next(line);) learner.look(line);
  return learner.scheme();
}

LogFigure figure_of(const std::string& text, const GivenFacts& given = {}) {
  LineReader lines = reader_of(text);
  Dialect dialect = learned_dialect(lines, given).value();
  LineReader again = reader_of(text);
  const LogContents contents = read_log(again, generic_name, dialect);
  dialect.scope = learned_scope(dialect, contents, given);
  return blind_figure(contents, dialect, given);
}

/// Seconds since midnight as a time stamp.
std::string stamp(double seconds) {
  const int whole = static_cast<int>(seconds);
  return fmt::format("2024-01-02 {:02}:{:02}:{:02},{:03}", whole / 3600, whole / 60 % 60,
                     whole % 60, static_cast<int>((seconds - whole) * 1000));
}

struct MadeUpLog {
  const char* name;
  std::string text;
  double throughput;
  const char* unit;
};

/// Every log is of a training with 0.25 s per step, 8 items each.
std::vector<MadeUpLog> made_up() {
  std::vector<MadeUpLog> logs;
  const auto add = [&](const char* name, double throughput, const char* unit,
                       const std::function<std::string(int)>& line) {
    logs.push_back({name, lines_of(60, line), throughput, unit});
  };
  add("a rate in items", 32, "samples/s",
      [](int i) { return fmt::format("iter {} loss 0.5 32.{} samples/s", 10 * i, i % 2); });
  add("a rate with commas and a suffix", 32e3, "tokens/s",
      [](int i) { return fmt::format("step {:5} | loss 2.1 | 32.00k tok/s | eta 0:10", i); });
  add("a suffix, and the unit in the name", 32e6, "tokens/s",
      [](int i) { return fmt::format("step: {:>6} | loss: 2.1 | tok/s: 32.00M | lr 3e-4", i); });
  add("steps per second", 4, "steps/s",
      [](int i) { return fmt::format("[ {}/5000] loss=0.5 4.00it/s", i); });
  add("seconds per step", 4, "steps/s",
      [](int i) { return fmt::format("Step #{}: loss 0.5, 0.25 s/it", i); });
  add("milliseconds in the name", 4, "steps/s", [](int i) {
    return fmt::format(
        " iteration {:8}/    1000 | elapsed time per iteration (ms): 250.{} | lm loss: 2", i,
        i % 2);
  });
  add("a time of all steps since the line before", 4, "steps/s",
      [](int i) { return fmt::format("{} INFO step {} time 2.50", stamp(2.5 * i), 10 * i); });
  add("a time of one step", 4, "steps/s",
      [](int i) { return fmt::format("{} INFO step {} time 0.250", stamp(2.5 * i), 10 * i); });
  add("a time since the start", 4, "steps/s",
      [](int i) { return fmt::format("step {} loss 0.5 elapsed {:.2f}", 10 * i, 2.5 * i); });
  add("a mean in brackets", 4, "steps/s", [](int i) {
    return fmt::format("Epoch: [0][{}/700]\tTime 0.100 (0.250)\tData 0.010 (0.020)", 10 * i);
  });
  add("time stamps only", 4, "steps/s", [](int i) {
    return fmt::format("[{}] train INFO: epoch 0 step {} loss 0.5", stamp(0.25 * i), i);
  });
  add("JSON", 32, "samples/s", [](int i) {
    return fmt::format(R"({{"loss": 0.5, "step": {}, "samples_per_second": 32.0}})", i);
  });
  add("several ranks", 32, "images/s", [](int i) {
    return fmt::format("[rank0]: step {0} 32.0 img/s\n[rank1]: step {0} 31.0 img/s", i);
  });
  add("epochs only", 4, "epochs/s",
      [](int i) { return fmt::format("Epoch {} loss 2.5 | train 0.25s", i); });
  add("samples for a counter", 32, "samples/s", [](int i) {
    return fmt::format("{} Train Epoch: 1 [{}/60000 ({}%)]\tLoss: 0.5", stamp(2.5 * i), 80 * i,
                       80 * i / 600);
  });
  add("samples for a counter, and the time since the line before", 32, "samples/s", [](int i) {
    return fmt::format("Train Epoch: 1 [{}/60000 ({}%)]\tLoss: 0.5\tTime: 2.500s", 80 * i,
                       80 * i / 600);
  });
  add("a table between bars", 32, "images/s", [](int i) {
    return fmt::format("{}| {} | 0.5 | 0.25 | 32.0 |",
                       i == 1 ? "| step | loss | s/step | img/s |\n|-----:|---:|---:|---:|\n" : "",
                       10 * i);
  });
  add("a table with commas", 32e3, "tokens/s", [](int i) {
    return fmt::format("{}{},0.5,1e-4,32000.0", i == 1 ? "step,loss,lr,tokens_per_sec\n" : "",
                       10 * i);
  });
  add("a table with blanks", 4, "epochs/s", [](int i) {
    return fmt::format("{}  {}        0.5       0.75    0.2500",
                       i == 1 ? "  epoch    train_loss    valid_acc     dur\n-------  ----\n" : "",
                       i);
  });
  add("a bar on one line", 4, "steps/s", [](int i) {
    return fmt::format("\r{:3}%|███  | {}/60 [00:{:02}<00:10,  4.00it/s]", i, i, i / 4);
  });
  add("seconds of a step timing", 4, "steps/s", [](int i) {
    return fmt::format(
        "Training epoch 0, iteration {}/399 | lr: 1.5e-07 | global_batch_size: 512 | global_step: "
        "{} | reduced_train_loss: 11.3 | train_step_timing in s: 0.25 | consumed_samples: {}",
        i, i, 512 * i);
  });
  add("a rate between colons", 32, "words/s", [](int i) {
    return fmt::format(
        "Ep. 1 : Up. {} : Sen. {} : Cost 8.1 : Time 25.00s : 32.0 words/s : gNorm 1.2{} : L.r. "
        "3.0e-05",
        100 * i, 8 * i, i % 10);
  });
  add("names behind their numbers", 4, "steps/s", [](int i) {
    return fmt::format(
        "[gpu01] {} (trainer:762) INFO: {}epoch:train:{}-{}batch: iter_time=1.2e-04, "
        "forward_time=0.132, loss=34.6, train_time=0.250",
        stamp(12.5 * i), 1 + i / 40, 50 * (i % 40) + 1, 50 * (i % 40) + 50);
  });
  add("the time of the whole among those of parts", 4, "steps/s", [](int i) {
    return fmt::format("iter {} | fwd 100 ms | bwd 120 ms | opt 30 ms | iter 250 ms | loss 0.5",
                       10 * i);
  });
  add("a time of steps that are counted", 4, "steps/s",
      [](int i) { return fmt::format("[{}] 10 steps in 2.50s, loss 0.5", 10 * i); });
  add("names in front, apart by blanks", 32, "tokens/s", [](int i) {
    return fmt::format("step {} loss {}.5 tok/s 32.{} ms 250", 10 * i, 5 - i % 3, i % 2);
  });
  add("units behind, apart by blanks", 32, "tokens/s", [](int i) {
    return fmt::format("step {} loss {}.5 speed 32.{} tok/s 250.0 ms", 10 * i, 5 - i % 3, i % 2);
  });
  add("minutes and seconds", 1.0 / 90, "epochs/s", [](int i) {
    return i % 3 == 0   ? fmt::format("Epoch {}: loss 0.5, took 1m 30s", i)
           : i % 3 == 1 ? fmt::format("Epoch {}: loss 0.5, took 1m31s", i)
                        : fmt::format("Epoch {}: loss 0.5, took 1m 29.0s", i);
  });
  add("a decimal comma", 4, "steps/s",
      [](int i) { return fmt::format("Schritt {}/600 Verlust 0,{} Zeit/it 0,250 s", i, 900 - i); });
  add("tokens per GPU and second", 32, "tokens/s", [](int i) {
    return fmt::format("step={}, loss=2.5, tgs (tokens/gpu/second)=32.{}", i, i % 2);
  });
  add("a time for steps that are counted", 4, "steps/s", [](int i) {
    return fmt::format("step {}: loss 0.5 (took 2.{} s for 10 steps)", 10 * i, 49 + i % 3);
  });
  add("units in words", 4, "steps/s", [](int i) {
    return fmt::format("{} iterations done, {}.00 iterations per second", 10 * i, 4);
  });
  add("epochs by a clock", 1.0 / 90, "epochs/s", [](int i) {
    return fmt::format("Epoch {}/99 finished in 0:01:30.{} loss 2.5", i, 10 + i % 7);
  });
  add("a time over its unit", 4, "steps/s", [](int i) {
    return fmt::format("{}{},0.5,0.25{}", i == 1 ? "step,loss,time/s\n" : "", 10 * i, i % 3);
  });
  add("hours since the start", 4, "steps/s", [](int i) {
    return fmt::format("step {} loss 0.5 elapsed_hours {:.4f}", 1000 * i, i * 250 / 3600.0);
  });
  add("thousands in the name", 32e3, "tokens/s", [](int i) {
    return fmt::format(R"({{"step": {}, "loss": 2.3, "ktokens_per_sec": 32.0{}}})", 10 * i, i % 3);
  });
  add("millions apart", 32e6, "tokens/s", [](int i) {
    return fmt::format("step {} | loss 2.3 | tokens/s: 32.0{} M | mfu 40%", 10 * i, i % 3);
  });
  add("micro-steps", 4, "micro-steps/s", [](int i) {
    return fmt::format("global_step {} micro_step {} loss 0.5 250.0 ms/micro_step", i / 10, i);
  });
  return logs;
}

TEST(Learning, ReadsLogsOfManyShapes) {
  for (const MadeUpLog& log : made_up()) {
    ASSERT_TRUE(learn(log.text)) << log.name;
    const LogFigure figure = figure_of(log.text);
    EXPECT_NEAR(figure.throughput / log.throughput, 1, 0.03) << log.name;
    EXPECT_EQ(figure.unit, log.unit) << log.name;
    EXPECT_EQ(figure.dialect, "generic");
  }
}

TEST(Learning, TheRateOfADeviceIsThatOfOneUntilTheirNumberIsKnown) {
  const std::string log = lines_of(60, [](int i) {
    return fmt::format(
        "completed step: {}, seconds: 0.250, TFLOP/s/device: 80.5, Tokens/s/device: 4096.0, loss: "
        "2",
        i);
  });
  const LogFigure one = figure_of(log);
  EXPECT_NEAR(one.throughput, 4096, 1);
  EXPECT_EQ(one.unit, "tokens/s");
  EXPECT_EQ(one.scope, Scope::rank);
  EXPECT_TRUE(std::any_of(one.verdicts.begin(), one.verdicts.end(),
                          [](const Verdict& it) { return it.name == "gpus-unknown"; }));
  EXPECT_NEAR(figure_of(log, {.gpus = 8}).throughput, 8 * 4096, 8);
}

TEST(Learning, TheRatePerGpuIsMultipliedByTheirNumber) {
  const auto log = [](const char* head, const char* rate) {
    return head +
           lines_of(60, [&](int i) { return fmt::format("Iter #{}: 312.{} {}", i, i % 2, rate); });
  };
  EXPECT_NEAR(figure_of(log("Number of GPUs: 4\n", "img/sec per GPU")).throughput, 1250, 5);
  EXPECT_NEAR(figure_of(log("Using 8 GPUs\n", "tok/s/gpu")).throughput, 2500, 10);
  EXPECT_NEAR(figure_of(log("Num_devices: 16, shape (1, 16)\n", "tokens/s/device")).throughput,
              5000, 20);
}

TEST(Learning, ARateWithoutACounterIsItself) {
  // Counts are shortened, and no line is one step.
  const LogFigure figure = figure_of(lines_of(60, [](int i) {
    return fmt::format(
        "{} - INFO :: Progress on:train {}.0it/10.0kit rate:4.0it/s remaining:30:00 elapsed:{:02}:"
        "{:02} postfix:loss=9.1",
        stamp(5.0 * i), 20 * i, 5 * i / 60, 5 * i % 60);
  }));
  EXPECT_NEAR(figure.throughput, 4, 0.01);
  EXPECT_NE(figure.confidence, Confidence::high);
}

TEST(Learning, EpochsAndMicroStepsAreNoSteps) {
  const auto steps = [](const char* pattern) {
    return figure_of(lines_of(60, [&](int i) { return fmt::format(fmt::runtime(pattern), i); }))
        .steps_per_second;
  };
  EXPECT_TRUE(std::isnan(steps("Epoch {} loss 2.5 | train 0.25s")));
  EXPECT_TRUE(std::isnan(steps("micro_step {} loss 0.5 250.0 ms/micro_step")));
  EXPECT_NEAR(steps("step {} loss 0.5 250.0 ms/step"), 4, 0.01);
}

TEST(Learning, ArrivalsAreNotedInBeatsAndDoNotContradict) {
  // A line every 80 ms, and somebody who looks every 50 ms.
  FormatLearner learner;
  for (int i = 1; i <= 60; ++i)
    learner.look(
        fmt::format("| epoch   1 | {:5}/ 2983 batches | ms/batch 4.00 | loss  7.63", 20 * i),
        0.05 * std::ceil(0.08 * i / 0.05));
  const auto scheme = learner.scheme();
  ASSERT_TRUE(scheme);
  EXPECT_NE(scheme->confidence, Confidence::low);
  EXPECT_NEAR(scheme->agreement, 1, 0.03);
}

TEST(Learning, ACounterOfSamplesIsNoCounterOfSteps) {
  const std::string log = lines_of(60, [](int i) {
    return fmt::format("{} Train Epoch: 1 [{}/60000 ({}%)]\tLoss: 0.5", stamp(2.5 * i), 80 * i,
                       80 * i / 600);
  });
  EXPECT_TRUE(std::isnan(figure_of(log).steps_per_second));
  const LogFigure given = figure_of(log, {.batch = 64});
  EXPECT_NEAR(given.throughput, 32, 0.5);
  EXPECT_EQ(given.unit, "samples/s");
}

TEST(Learning, WhereSamplesAreCountedTheStepsAreUnknown) {
  const LogFigure shown = figure_of(lines_of(60, [](int i) {
    return fmt::format("{} | INFO | Train Epoch: 0 [{:>6}/400000 ({}%)] 2048.{}/s Loss: 5.5",
                       stamp(2.5 * i), 5120 * i, i, i % 2);
  }));
  EXPECT_NEAR(shown.throughput, 2048, 1);
  EXPECT_TRUE(std::isnan(shown.steps_per_second));
  const LogFigure sentences = figure_of(lines_of(60, [](int i) {
    return fmt::format(
        "[{}] Ep. 1 : Up. {} : Sen. {} : Cost 8.5 : Time 25.0{}s : 6000.00 words/s : L.r. 1e-4",
        stamp(25 * i), 100 * i, 6400 * i, i % 3);
  }));
  EXPECT_NEAR(sentences.throughput, 6000, 1);
  EXPECT_NEAR(sentences.steps_per_second, 4, 0.05);
}

TEST(Learning, TablesAreReadByTheirHeadings) {
  // A sentence between the rows is no heading.
  std::string log = "step loss time_per_step\n";
  for (int i = 1; i <= 60; ++i) {
    log += fmt::format("{} 0.5 0.25\n", 10 * i);
    if (i % 20 == 0) log += "saved a checkpoint of step\nend of epoch\n";
  }
  EXPECT_NEAR(figure_of(log).throughput, 4, 0.01);
  EXPECT_TRUE(scheme_pattern(*learn(log)).empty());  // no line has these names
}

TEST(Learning, EvaluationsBetweenTheLinesAreQuality) {
  const LogFigure figure =
      figure_of(lines_of(60, [](int i) { return fmt::format("step {} 32.0 samples/s", 10 * i); }) +
                "Test set: Average loss: 0.9770, Acc@1: 75.25%, Acc@5: 92.5%\n");
  EXPECT_DOUBLE_EQ(figure.quality.at("val_loss"), 0.977);
  EXPECT_DOUBLE_EQ(figure.quality.at("val_Acc@1"), 75.25);
}

TEST(Learning, ABarThatNothingNamesIsNoTrainingForSure) {
  const auto bars = [](int total, double seconds, const char* behind) {
    std::string text;
    for (int i = 1; i <= total; ++i)
      text += fmt::format("{} {:3}%|##  | {}/{} [{:02}:{:02}<01:00, {:.2f}s/it{}]\n",
                          stamp(seconds * i), 100 * i / total, i, total,
                          static_cast<int>(seconds * i) / 60, static_cast<int>(seconds * i) % 60,
                          seconds, behind);
    return text;
  };
  EXPECT_EQ(learn(bars(100, 2, ""))->confidence, Confidence::medium);
  EXPECT_EQ(learn(bars(100, 2, ", loss=0.5"))->confidence, Confidence::high);
  // One for the training, and another for the evaluation?
  EXPECT_EQ(learn(bars(100, 2, "") + bars(300, 1.5, ""))->confidence, Confidence::low);
}

TEST(Learning, PartsOfAStepAreAddedUp) {
  const auto throughput = [](const char* part, const char* time) {
    std::string text;
    for (int i = 0; i < 240; ++i)
      text += fmt::format("step {} | {} {}/4 | loss 2.3 | {} {}.{}ms\n", i / 4, part, i % 4 + 1,
                          time, 62, time[0] == 'd' ? 4 + i % 3 : 5);
    return figure_of(text).throughput;
  };
  EXPECT_NEAR(throughput("micro_step", "dt"), 4, 0.02);
  EXPECT_NEAR(throughput("accum", "dt"), 4, 0.02);
  // Copies of ranks, and the time of the whole step beside each part.
  EXPECT_NEAR(throughput("gpu", "dt"), 16, 0.1);
  EXPECT_NEAR(throughput("accum", "step_time"), 16, 0.1);
}

/// 20 passes of 0.25 s per step, and evaluations of 0.1 s per step in between, in the same words.
std::string with_evaluations(const char* training, const char* evaluation) {
  std::string text;
  double time = 0;
  for (int epoch = 1; epoch <= 20; ++epoch) {
    for (const bool trains : {true, false}) {
      const char* heading = trains ? training : evaluation;
      if (*heading != 0) text += fmt::format("{} INFO {}\n", stamp(time), heading);
      const double step = trains ? 0.25 : 0.1;
      for (int i = 10; i <= (trains ? 100 : 60); i += 10)
        text += fmt::format("{} INFO step {}/{} - loss: 2.3 - {}ms/step\n",
                            stamp(time += 10 * step), i, trains ? 100 : 60, 1000 * step);
    }
  }
  return text;
}

TEST(Learning, EvaluationsBelowAHeadingAreNoTraining) {
  const LogFigure headed = figure_of(with_evaluations("Training epoch", "== eval =="));
  EXPECT_NEAR(headed.throughput, 4, 0.01);
  EXPECT_EQ(headed.confidence, Confidence::high);
  EXPECT_NEAR(figure_of(with_evaluations("", "Validating")).throughput, 4, 0.01);
  // Nothing says which is which: no figure that is beyond doubt.
  const LogFigure bare = figure_of(with_evaluations("", ""));
  EXPECT_EQ(bare.confidence, Confidence::low);
}

TEST(Learning, EvaluationsMayHaveALineLikeThatOfAnEpoch) {
  const LogFigure figure = figure_of(lines_of(20, [](int i) {
    return fmt::format(
        "Epoch {}/20\nstep 469/469 [====] - loss: 0.3 - 50ms/step\nEval begin...\n"
        "step 157/157 [====] - loss: 0.2 - 10ms/step\nEval samples: 10000",
        i);
  }));
  EXPECT_NEAR(figure.throughput, 20, 0.01);
}

/// Twenty lines whose rate, counter and time stamps agree are beyond doubt; with any of them
/// missing it is a guess.
TEST(Learning, IsSureWhereSeveralSignsAgree) {
  const auto line = [](double seconds) {
    return [seconds](int i) {
      return fmt::format("{} step {} loss 2 {} s/it", stamp(seconds * i), i, 0.25);
    };
  };
  EXPECT_EQ(learn(lines_of(40, line(0.25)))->confidence, Confidence::high);
  EXPECT_EQ(learn(lines_of(40, line(0.5)))->confidence, Confidence::low);  // they contradict
  EXPECT_EQ(learn(lines_of(4, line(0.25)))->confidence, Confidence::low);  // too few
  EXPECT_EQ(
      learn(lines_of(40, [](int i) { return fmt::format("step {} 0.25 s/it", i); }))->confidence,
      Confidence::medium);
  // Ten steps between two lines: is that the time of one, or of all?
  EXPECT_EQ(learn(lines_of(40, [](int i) { return fmt::format("step {} time 0.25", 10 * i); }))
                ->confidence,
            Confidence::low);
}

TEST(Learning, PassesOverWhatIsNoTraining) {
  const std::string text =
      lines_of(200,
               [](int i) {
                 return fmt::format("Map: {}/200 [00:{:02}<00:00, 900.00 examples/s]", i, i / 9);
               }) +
      lines_of(30, [](int i) { return fmt::format("step {} loss 2 32.0 samples/s", i); }) +
      lines_of(100, [](int i) { return fmt::format("Test: [{}/100] 500.0 samples/s", i); });
  EXPECT_NEAR(figure_of(text).throughput, 32, 0.5);
}

TEST(Learning, SaysWhatItFoundAndHowToCorrectIt) {
  const LogScheme scheme = learn(lines_of(30, [](int i) {
                             return fmt::format("iter {}: loss 2, time 250.00ms", 10 * i);
                           })).value();
  const std::vector<std::string> words = scheme_words(scheme, false);
  ASSERT_EQ(words.size(), 2U);
  EXPECT_NE(words[0].find("the counter is 'iter'"), std::string::npos) << words[0];
  EXPECT_NE(words[0].find("'time … ms' (per step)"), std::string::npos) << words[0];
  EXPECT_NE(words[1].find("--batch N"), std::string::npos) << words[1];
  EXPECT_NE(words[1].find(scheme_pattern(scheme)), std::string::npos) << words[1];
}

/// Whatever pattern is suggested reads the line that it was made from, to the same figure.
TEST(Learning, SuggestsPatternsThatWork) {
  std::size_t tried = 0;
  for (const MadeUpLog& log : made_up()) {
    const LogScheme scheme = learn(log.text).value();
    const std::string pattern = scheme_pattern(scheme);
    if (pattern.empty()) continue;
    ++tried;
    const RecordReader read = pattern_dialect(pattern, Scope::job).reader();
    Record record;
    Cursor cursor(scheme.first_line);
    ASSERT_TRUE(read(cursor, record)) << pattern << "\n" << scheme.first_line;
    EXPECT_GE(record.step, 1) << pattern;
    const double pace = record.rate > 0 ? record.rate / 32 : 0.25 / record.seconds;
    EXPECT_TRUE(std::abs(pace - 1) < 0.05 || std::abs(pace - 1000) < 50) << pattern;
  }
  EXPECT_GE(tried, 8U);
}

TEST(Learning, SuggestsNoUnitThatPatternsDoNotHave) {
  const std::string pattern = pattern_for_line("step 10 lossstep/s: 6.9 12.5 lossstep/s");
  ASSERT_NE(pattern.find("rate"), std::string::npos) << pattern;
  EXPECT_NO_THROW(pattern_dialect(pattern, Scope::job)) << pattern;
}

TEST(Learning, MultipliesABatchOnlyWhereItIsGiven) {
  const std::string text =
      "batch_size: 8\n" + lines_of(40, [](int i) { return fmt::format("step {} 0.25 s/it", i); });
  EXPECT_NEAR(figure_of(text).throughput, 4, 0.1);
  EXPECT_EQ(figure_of(text).unit, "steps/s");
  GivenFacts given;
  given.batch = 8;
  given.gpus = 2;
  EXPECT_NEAR(figure_of(text, given).throughput, 64, 1);
}

TEST(Learning, SeesThatARateIsOneRanks) {
  const auto text = [](int gpus) {
    return fmt::format("batch_size: 8\nworld_size: {}\n", gpus) + lines_of(40, [](int i) {
             return fmt::format("step {} step_time 0.25 s, 32.0 samples/s", i);
           });
  };
  EXPECT_NEAR(figure_of(text(4)).throughput, 128, 1);
  EXPECT_NEAR(figure_of(text(1)).throughput, 32, 0.5);
}

TEST(Learning, FindsNothingWhereNothingIs) {
  EXPECT_FALSE(learn(""));
  EXPECT_FALSE(learn("no numbers\nat all\n"));
  EXPECT_FALSE(learn(lines_of(100, [](int i) { return fmt::format("loss {}", i % 3 * 0.5); })));
}

TEST(Learning, StaysBounded) {
  FormatLearner learner;
  for (int i = 0; i < 5'000; ++i)
    learner.look(std::string(1 + i % 50, static_cast<char>('a' + i % 26)) + " " +
                     std::to_string(i) + " " + std::string(static_cast<std::size_t>(i % 3), 'x') +
                     " 1 2 3 4 5 6 7 8 9",
                 i);
  learner.scheme();
}

}  // namespace
}  // namespace trainmark
