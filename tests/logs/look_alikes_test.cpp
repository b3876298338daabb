// Lines that look like those of a known program and are none: read all the same, by what they say,
// and never with the confidence of a dialect. All logs are made up.

#include <gtest/gtest.h>

#include <cmath>
#include <fstream>

#include "case_name.h"
#include "logs/detect.h"
#include "logs/extract.h"
#include "made_up_logs.h"
#include "temporary_folder.h"

namespace trainmark {
namespace {

struct LookAlike {
  const char* name;
  double throughput;
  const char* unit;
  std::string log;
  Confidence at_most = Confidence::medium;

  friend void PrintTo(const LookAlike& it, std::ostream* out) { *out << it.name; }
};

// Of 0.25 s per step, 8 items each; a line every ten steps.
constexpr double seconds_per_step = 0.25;

LookAlike lines(const char* name, double throughput, const char* unit,
                const std::function<std::string(int step)>& line,
                Confidence at_most = Confidence::medium) {
  return {name, throughput, unit, lines_of(60, [&](int i) { return line(10 * i); }), at_most};
}

std::string clock_text(double seconds) {
  const int whole = static_cast<int>(seconds);
  return fmt::format("{:02}:{:02}:{:02},{:03}", whole / 3600, whole / 60 % 60, whole % 60,
                     static_cast<int>((seconds - whole) * 1000));
}

/// A bar of tqdm, whose states follow each other by `every`.
std::string bar(const char* title, std::int64_t total, std::int64_t every, double seconds_of_one,
                const char* rate, const char* behind = "") {
  std::string text;
  for (std::int64_t done = every; done <= total; done += every) {
    const int elapsed = static_cast<int>(static_cast<double>(done) * seconds_of_one);
    text += fmt::format("\r{}{:3}%|####  | {}/{} [{:02}:{:02}<01:00, {}{}]", title,
                        100 * done / total, done, total, elapsed / 60, elapsed % 60, rate, behind);
  }
  return text + "\n";
}

std::string no_dialect_for(const std::string& text) {
  LineReader reader(std::make_unique<TextSource>(text));
  const Detection detection = detect_dialect(reader);
  return detection.known() ? detection.candidates.front().name : "";
}

LogFigure extracted(const std::string& text, const GivenFacts& given = {}) {
  const TemporaryFolder folder;
  std::ofstream(folder / "own.log", std::ios::binary) << text;
  ExtractOptions options;
  options.given = given;
  return extract_log(folder / "own.log", options);
}

class LookAlikes : public testing::TestWithParam<LookAlike> {};

TEST_P(LookAlikes, AreReadByWhatTheySay) {
  const LookAlike& it = GetParam();
  EXPECT_EQ(no_dialect_for(it.log), "");
  const LogFigure figure = extracted(it.log);
  EXPECT_EQ(figure.dialect, "generic");
  EXPECT_EQ(figure.unit, it.unit);
  EXPECT_NEAR(figure.throughput / it.throughput, 1, 0.03);
  EXPECT_LE(figure.confidence == Confidence::high     ? 2
            : figure.confidence == Confidence::medium ? 1
                                                      : 0,
            it.at_most == Confidence::medium ? 1 : 0);
}

INSTANTIATE_TEST_SUITE_P(
    Table, LookAlikes,
    testing::Values(
        // llm.c prints milliseconds of a step, beside its own words.
        lines("a rate is no time", 32, "samples/s",
              [](int i) { return fmt::format("step {}/600 | loss 2.790 | 32.0 samples/s", i); }),
        lines("steps per second", 4, "steps/s",
              [](int i) {
                return fmt::format("step {}/600 | loss 2.8 | lr 1e-4 | 4.00 steps/s", i);
              }),
        lines("sequences", 32, "sequences/s",
              [](int i) { return fmt::format("step {}/600: loss 2.8 (32.0 seq/s)", i); }),
        lines("milliseconds of a step", 32, "samples/s",
              [](int i) {
                return fmt::format(
                    "12:00:00 | INFO | train:145 - step {}/600 | loss=0.5 | 32.0 samples/s | 250.0 "
                    "ms/step",
                    i);
              }),
        lines("a time of ten steps, by the stamps", 4, "steps/s",
              [](int i) {
                return fmt::format("2024-01-02 {} step {}/600 | loss 0.20 | 2.50s",
                                   clock_text(seconds_per_step * i), i);
              }),
        lines("a time since the start", 4, "steps/s",
              [](int i) {
                return fmt::format("step {}/600 | loss 0.20 | {:.1f}s elapsed", i,
                                   seconds_per_step * i);
              }),
        lines(
            "a time since the start, unnamed", 4, "steps/s",
            [](int i) {
              return fmt::format("step {}/600 | loss 0.20 | ({:.1f}s)", i, seconds_per_step * i);
            },
            Confidence::low),
        // nanoGPT prints milliseconds.
        lines(
            "seconds since the start", 4, "steps/s",
            [](int i) {
              return fmt::format("iter {}: loss 0.5, time {:.2f}s", i, seconds_per_step * i);
            },
            Confidence::low),
        lines("seconds of ten steps, by the stamps", 4, "steps/s",
              [](int i) {
                return fmt::format("[2024-01-02 {}] iter {}: loss 0.5, time 2.50s",
                                   clock_text(seconds_per_step * i), i);
              }),
        // Meta Lingua's lines are TorchTitan's without the memory, and their rate is rounded.
        LookAlike{"words per second with a power", 1.6e4, "words/s",
                  lines_of(60,
                           [](int i) {
                             return fmt::format(
                                 "0: INFO    26-05-03 {} - step: {}  acc: 0  loss:  9.1  grad: "
                                 "1.2e+00  flops: 3.1e+14  wps: 1.6000e+04  iter: 0.2500  lr: "
                                 "1.00e-04",
                                 clock_text(seconds_per_step * i), i);
                           })},
        // Bars count what their rate says.
        LookAlike{"examples", 80, "examples/s", bar("", 64000, 32, 1 / 80.0, "80.00 examples/s")},
        LookAlike{"images of an epoch", 40, "images/s",
                  bar("Epoch 0: ", 4000, 16, 1 / 40.0, "40.00img/s", ", loss=0.5")},
        LookAlike{"tokens", 20480, "tokens/s",
                  bar("Training: ", 3276800, 8192, 1 / 20480.0, "20480.00tok/s")},
        LookAlike{"a download before the training", 2, "steps/s",
                  bar("", 300 << 20, 1 << 20, 1 / 2e7, "20000000.00B/s") +
                      bar("", 200, 1, 0.5, "2.00it/s")},
        LookAlike{"a bar of epochs around one of batches", 4, "steps/s",
                  bar("", 5, 1, 52, "52.00s/it") + bar("batches: ", 200, 1, 0.25, "4.00it/s") +
                      bar("", 5, 2, 52, "52.00s/it") + bar("batches: ", 200, 1, 0.25, "4.00it/s")},
        LookAlike{"a bar alone", 4, "steps/s", bar("", 1000, 1, 0.25, "4.00it/s")}),
    numbered_cases);

TEST(LookAlikes, LinesOfLlmcHaveAllItsWords) {
  const auto line = [](const char* words, const char* behind) {
    return lines_of(40, [&](int step) {
      return fmt::format("step {:4}/400 | loss 8.5{} | 512.50 ms{}", step, words, behind);
    });
  };
  const char* const words = " (+0.50z)| norm 1.5 (-0.25z)| lr 1.00e-05";
  const char* const behind = " | 40.0% bf16 MFU | 1023000 tok/s";
  EXPECT_EQ(no_dialect_for(line(words, behind)), "llmc");
  EXPECT_EQ(no_dialect_for(line("", behind)), "");
  EXPECT_EQ(no_dialect_for(line(words, "")), "");
}

TEST(LookAlikes, RatesOfTorchTitanAreWhole) {
  const auto line = [](const char* rate) {
    return lines_of(40, [&](int step) {
      return fmt::format("step: {}  loss:  8.5  memory: 20.50GiB(25.90%)  tps: {}", step, rate);
    });
  };
  EXPECT_EQ(no_dialect_for(line("16,384")), "torchtitan");
  EXPECT_EQ(no_dialect_for(line("1.6e+04")), "");
}

TEST(LookAlikes, ADownloadIsNoTraining) {
  for (const char* title : {"", "Downloading: ", "batch "})
    EXPECT_THROW(extracted(bar(title, 600, 1, 0.5, "2.00MB/s")), UserError) << title;
}

TEST(LookAlikes, ATimeThatIsSaidToBeOfTenStepsIsBelieved) {
  const LogFigure figure = extracted(lines_of(
      60, [](int i) { return fmt::format("step {} loss 0.5 10 steps in 2.50s", 10 * i); }));
  EXPECT_NEAR(figure.throughput, 4, 0.01);
  EXPECT_EQ(figure.confidence, Confidence::medium);
}

TEST(LookAlikes, ABarOfItemsHasNoRateOfSteps) {
  const std::string log = bar("Epoch 0: ", 4000, 16, 1 / 40.0, "40.00img/s");
  EXPECT_TRUE(std::isnan(extracted(log).steps_per_second));
  EXPECT_NEAR(extracted(log, {.gpus = 1, .batch = 64}).throughput, 40, 0.5);
}

TEST(LookAlikes, OneLineOfHuggingFacesTrainerIsEnough) {
  const std::string own = bar("", 400, 1, 2, "2.00s/it");
  EXPECT_EQ(no_dialect_for(own), "");
  for (const char* mark :
       {"***** Running training *****\n", "{'loss': 2.5, 'grad_norm': 1.5, 'epoch': 0.1}\n",
        "{'train_runtime': 800.0, 'train_loss': 1.5}\n"}) {
    EXPECT_EQ(no_dialect_for(mark + own), "hf_trainer") << mark;
    EXPECT_EQ(no_dialect_for(own + mark), "hf_trainer") << mark;
  }
}

TEST(LookAlikes, RecordsCountHoweverLateTheMarkComes) {
  DialectDetector detector;
  for (int step = 1; step <= 800; ++step)
    detector.look(fmt::format(" 10%|#   | {}/900 [{}:{:02}<01:00, 2.00s/it]", step, 2 * step / 60,
                              2 * step % 60));
  EXPECT_EQ(detector.records(), 0U);
  detector.look("{'train_runtime': 1600.0}");
  EXPECT_EQ(detector.records(), 800U);
}

TEST(LookAlikes, UnslothSaysItsBatch) {
  const std::string log =
      "O^O/ \\_/ \\    Batch size per device = 2 | Gradient accumulation steps = 4\n"
      "\\        /    Data Parallel GPUs = 1 | Total batch size (2 x 4 x 1) = 8\n" +
      bar("", 400, 1, 2, "2.00s/it");
  const LogFigure figure = extracted(log);
  EXPECT_EQ(figure.dialect, "hf_trainer");
  EXPECT_EQ(figure.unit, "samples/s");
  EXPECT_NEAR(figure.throughput, 4, 0.05);
}

TEST(LookAlikes, TorchTitanWithoutItsHeaderTellsTheRateOfADevice) {
  const std::string log = lines_of(40, [](int step) {
    return fmt::format(
        "[rank0]:[titan] - root - INFO - step: {}  loss:  8.5  memory: 20.50GiB(25.90%)  tps: "
        "16,384  tflops: 400.00  mfu: 40.00%",
        step);
  });
  const LogFigure one = extracted(log);
  EXPECT_NEAR(one.throughput, 16384, 1);
  EXPECT_EQ(one.scope, Scope::rank);
  EXPECT_TRUE(has_verdict(one, "gpus-unknown"));
  EXPECT_TRUE(std::isnan(one.steps_per_second));
  EXPECT_NEAR(extracted(log, {.gpus = 8}).throughput, 8 * 16384, 8);
}

TEST(LookAlikes, TimesWithoutABatchCountSteps) {
  const LogFigure estimator = extracted(
      lines_of(40, [](int) { return std::string("INFO:tensorflow:global_step/sec: 12.5"); }));
  EXPECT_NEAR(estimator.throughput, 12.5, 0.01);
  EXPECT_EQ(estimator.unit, "steps/s");
  EXPECT_NEAR(estimator.steps_per_second, 12.5, 0.01);
  EXPECT_TRUE(has_verdict(estimator, "batch-unknown"));
}

TEST(LookAlikes, ADialectThatFindsNoFigureIsNotSureOfIt) {
  const LogFigure figure =
      blind(lines_of(20, [](int step) { return plsc_line(step, 1e308); }), "plsc");
  EXPECT_TRUE(std::isnan(figure.throughput));
  EXPECT_EQ(figure.confidence, Confidence::low);
}

TEST(LookAlikes, StepsPerSecondAreOfStepsOrUnknown) {
  const auto steps = [](const std::string& line) {
    return extracted(lines_of(40, [&](int step) { return fmt::format(fmt::runtime(line), step); }))
        .steps_per_second;
  };
  EXPECT_NEAR(steps("iter {}: loss 8.5, time 500.00ms, mfu 40.00%"), 2, 0.01);
  EXPECT_NEAR(steps("step {} | loss: 8.5 | dt: 500.00ms | tok/sec: 32768.00"), 2, 0.01);
  EXPECT_NEAR(steps("step {}/1000 | loss 8.5 (+0.50z)| norm 1.5 (-nanz)| lr 1e-05 | 500.00 ms | "
                    "40.0% bf16 MFU | 30000 tok/s"),
              2, 0.01);
  EXPECT_TRUE(std::isnan(steps("[batch={}/400]:\n\t Train throughput/samples_per_sec: 512.0")));
  EXPECT_TRUE(
      std::isnan(steps("[INFO] [timer.py:198:stop] 0/{}, RunningAvgSamplesPerSec=100.0, "
                       "CurrSamplesPerSec=99.5")));
  EXPECT_TRUE(std::isnan(steps("Epoch {}/40\n50000/50000 [====] - 5s 100us/sample - loss: 2.3")));
}

}  // namespace
}  // namespace trainmark
