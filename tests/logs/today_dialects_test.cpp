// Small logs, written for these tests, as today's programs print them in their versions and forks:
// each must be found by itself, and give the figure that it was written with.

#include <gtest/gtest.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "case_name.h"
#include "logs/detect.h"
#include "made_up_logs.h"

namespace trainmark {
namespace {

struct MadeUp {
  const char* dialect;
  const char* unit;
  double throughput;
  std::string log;

  friend void PrintTo(const MadeUp& it, std::ostream* out) { *out << it.dialect; }
};

std::string dialect_of(const std::string& text) {
  LineReader lines(std::make_unique<TextSource>(text));
  const Detection detection = detect_dialect(lines);
  return detection.known() ? detection.candidates.front().name : "";
}

/// As `fmt::format`, for patterns that are chosen when the test runs.
template <class... Values>
std::string with(const char* pattern, const Values&... values) {
  return fmt::vformat(pattern, fmt::make_format_args(values...));
}

/// `head`, and one line for each of `count` steps.
std::string log_of(const std::string& head, int count,
                   const std::function<std::string(int step)>& line) {
  return head + lines_of(count, line);
}

// Of 0.5 s each, behind a first one that takes ten times as long; 64 items.
double seconds_at(int step) {
  return step == 1 ? 5.0 : 0.5;
}

std::string megatron(const char* front, const char* time, double unit, const char* batch) {
  return lines_of(30, [&](int step) {
    return with(
        "{} iteration {:8}/     400 | consumed samples: {:12} | {} {:.1f} | learning rate: "
        "1.000E-04 |{} lm loss: 9.125000E+00 | loss scale: 1.0 |",
        front, 10 * step, 640 * step, time, unit * seconds_at(step), batch);
  });
}

std::string nanogpt(const std::string& head, const char* pattern) {
  return log_of(head, 30, [&](int step) { return with(pattern, step, 1000 * seconds_at(step)); });
}

std::string modded(const std::string& head) {
  return log_of(head, 40, [](int step) {
    // The clock is set back behind the tenth step.
    const double elapsed = step <= 10 ? 5000 + 500 * step : 500 * (step - 10);
    std::string line = with("step:{}/400 train_loss:9.1250 train_time:{:.0f}ms step_avg:{}", step,
                            elapsed, step < 13 ? "nanms" : "500.00ms");
    if (step % 20 == 0)
      line += with("\nstep:{}/400 val_loss:8.5000 train_time:{:.0f}ms step_avg:500.00ms", step,
                   elapsed + 30);
    return line;
  });
}

/// A bar of tqdm at every step of two epochs, which starts again with each.
std::string bars(const std::string& head, const std::string& front, int steps, double of_step,
                 const std::string& behind = "") {
  std::string text = head;
  for (int epoch = 0; epoch < 2; ++epoch) {
    for (int step = 0; step <= steps; ++step) {
      const int elapsed = static_cast<int>(of_step * step);
      text += with(front.c_str(), epoch) +
              with("{:3}%|{}| {}/{} [{:02}:{:02}<01:00,  2.00it/s{}]\r", 100 * step / steps,
                   "####      ", step, steps, elapsed / 60, elapsed % 60, behind);
    }
    text += "\n";
  }
  return text;
}

std::string meters(const char* pattern, int first = 0) {
  // Means since the epoch began, in which the first step takes 5 s.
  std::string text;
  for (int epoch = 0; epoch < 3; ++epoch) {
    for (int step = 0; step < 200; step += 10) {
      const double mean = (5.0 + 0.5 * step) / (step + 1);
      text += with(pattern, epoch, step + first, 0.5, mean, 0.05, 0.1 * mean) + "\n";
    }
  }
  return text;
}

// Three epochs of 191 steps, 6 records of 60 dropped: the first 51 steps.
constexpr double metered = (3 * 191 - 51) / (3 * (5 + 95) - (5 + 25.0));

std::string keras(const std::string& head, const char* bar) {
  return log_of(head, 20,
                [&](int epoch) { return with("Epoch {}/20\n{}", epoch, std::string(bar)); });
}

class TodaysPrograms : public testing::TestWithParam<MadeUp> {};

TEST_P(TodaysPrograms, GiveTheirFigureWithoutAHint) {
  const MadeUp& made = GetParam();
  EXPECT_EQ(dialect_of(made.log), made.dialect);
  const LogFigure figure = blind(made.log, made.dialect);
  EXPECT_EQ(figure.unit, made.unit);
  EXPECT_NEAR(figure.throughput, made.throughput, 0.01 * made.throughput);
  EXPECT_EQ(figure.confidence, Confidence::high);
}

INSTANTIATE_TEST_SUITE_P(
    Table, TodaysPrograms,
    testing::Values(
        MadeUp{
            "megatron", "sequences/s", 128,
            megatron("", "elapsed time per iteration (ms):", 1000, " global batch size:    64 |")},
        MadeUp{"megatron", "sequences/s", 128,
               megatron("[default7]: [2024-01-02 03:04:05]", "elapsed time per iteration (s):", 1,
                        " global batch size:    64 |")},
        // The samples that were consumed tell the batch: 640 in 10 iterations.
        MadeUp{"megatron", "sequences/s", 128,
               megatron("", "elapsed time per iteration (ms):", 1000, "")},
        // GPT-NeoX: samples per second stand in front, and no batch anywhere.
        MadeUp{"megatron", "sequences/s", 128,
               lines_of(30,
                        [](int step) {
                          return with(
                              " samples/sec: {:.3f} | iteration {:8}/  320000 | elapsed time per "
                              "iteration (ms): {:.1f} | learning rate: 9.000E-07 | approx flops "
                              "per GPU: 57.2TFLOPS | lm_loss: 9.1E+00 | loss scale: 4096.0 |",
                              64 / seconds_at(step), 10 * step, 1000 * seconds_at(step));
                        })},
        MadeUp{"nanogpt", "steps/s", 2,
               nanogpt("", "iter {}: loss 8.5000, time {:.2f}ms, mfu 40.0%")},
        MadeUp{"nanogpt", "tokens/s", 983040,
               nanogpt("tokens per iteration will be: 491,520\n",
                       "\x1b[1miter\x1b[0m {}: loss 8.5, time {:.2f} ms, mfu 40%")},
        MadeUp{
            "nanogpt", "steps/s", 2,
            nanogpt("",
                    "Epoch 1 | iter {} step 5 | loss train: 2.5, val: n/a | iter time: {:.2f} ms")},
        MadeUp{"modded_nanogpt", "steps/s", 2, modded("")},
        MadeUp{"modded_nanogpt", "tokens/s", 1048576,
               modded("train_batch_tokens:524288 train_seq_len:1024\n")},
        MadeUp{"modded_nanogpt", "tokens/s", 1048576,
               modded("    batch_size : int = 8*64 # in sequences\n"
                      "    sequence_length : int = 1024\n")},
        MadeUp{"nanochat", "tokens/s", 32768,
               nanogpt("",
                       "step {:5} | loss: 8.500000 | lr 1.0e-04 | norm: 1.5 | dt: {:.2f}ms | "
                       "tok/sec: 32768.00")},
        MadeUp{"nanochat", "tokens/s", 32768,
               nanogpt("",
                       "step {:05}/01000 (2.0%) | loss: 8.5 | dt: {:.2f}ms | tok/sec: 32,768 | "
                       "mfu: 40.0")},
        MadeUp{"nanochat", "tokens/s", 32768,
               nanogpt("", "step {}, loss: 8.5, dt: {:.2f}ms, tok/sec: 32768.0")},
        MadeUp{
            "llmc", "tokens/s", 32768,
            nanogpt("| total batch size      | 16384                    |\n",
                    "step {:4}/1000 | loss 8.500000 (+0.50z)| norm 1.5000 (-nanz)| lr 1.00e-05 | "
                    "{:.2f} ms | 40.0% bf16 MFU | 30000 tok/s")},
        MadeUp{"llmc", "tokens/s", 32768,
               nanogpt("> ./train_gpt2cu -b 16 -t 1024 -d 16384 -r 0\n",
                       "step {:4}/1000: train loss 8.500000 (acc 8.50) ({:.2f} ms, 30000 tok/s)")},
        MadeUp{
            "llmc", "tokens/s", 32768,
            nanogpt("> ./train_gpt2cu -b 16 -t 1024 -d 16384\n",
                    "step {:4}/1000 | train loss 8.500000 | norm 1.5000 | lr 1.00e-05 | {:.2f} ms "
                    "| 40.0% A100 fp16 MFU | 30000 tok/s")},
        // Its twin in Python, and the program for CPUs.
        MadeUp{"llmc", "tokens/s", 32768,
               nanogpt("total desired batch size: 16384\n",
                       "step {:4}/1000 | train loss 8.500000 | norm 1.5000 | lr 1.00e-04 | "
                       "({:.2f} ms | 30000 tok/s)")},
        MadeUp{"llmc", "steps/s", 2, nanogpt("", "step {}: train loss 8.500000 (took {:.6f} ms)")},
        MadeUp{"hf_trainer", "samples/s", 32,
               bars("  Total train batch size (w. parallel, distributed & accumulation) = 64\n",
                    "Map: 100%|####| 9/9 [00:01<00:00, 9.0 examples/s]\n", 400, 2)},
        MadeUp{"hf_trainer", "steps/s", 0.5, bars("***** Running training *****\n", "", 400, 2)},
        MadeUp{"hf_trainer", "steps/s", 0.5,
               bars("", "[rank0]: {{'loss': 2.5, 'epoch': 0.5}}", 400, 2)},
        MadeUp{"hf_trainer", "samples/s", 4,
               bars("\\        /    Data Parallel GPUs = 1 | Total batch size (2 x 4 x 1) = 8\n",
                    "", 400, 2)},
        // LLaMA-Factory's file.
        MadeUp{"hf_trainer", "steps/s", 0.01,
               lines_of(40,
                        [](int step) {
                          return with(R"({{"current_steps": {}, "total_steps": 500, "loss": 2.5, )"
                                      R"("epoch": 0.1, "elapsed_time": "{}{:02}:{:02}:00"}})",
                                      36 * step, step >= 24 ? "1 day, " : "", step % 24, 0);
                        })},
        MadeUp{
            "hf_trainer", "samples/s", 4.75,
            "{\n  \"log_history\": [\n    {\n      \"loss\": 2.5,\n      \"step\": 5\n    },\n    "
            "{\n"
            "      \"eval_samples_per_second\": 90.5,\n      \"train_loss\": 2.25,\n"
            "      \"train_samples_per_second\": 4.75,\n      \"train_steps_per_second\": 0.3\n"},
        MadeUp{"hf_trainer", "samples/s", 4.75,
               "{'train_runtime': '100.5', 'train_samples_per_second': '4.75', 'epoch': '1'}\n"
               "{'train_runtime': '100.5', 'train_samples_per_second': '4.75', 'epoch': '1'}\n"},
        MadeUp{"keras", "steps/s", 50,
               keras("",
                     "500/500 [==============================] - 10s 20ms/step - loss: 2.3000 - "
                     "val_loss: 2.2000\n100/100 [====] - 1s 5ms/step - loss: 2.2")},
        MadeUp{
            "keras", "samples/s", 10000,
            keras("Train on 50000 samples, validate on 10000 samples\n",
                  "50000/50000 [==============================] - 5s 100us/step - loss: 2.3 - acc: "
                  "0.1")},
        MadeUp{"keras", "samples/s", 1000,
               keras("", "5000/5000 [==============================] - 5s 1ms/sample - loss: 2.3")},
        // Keras 3: what is left stands in place of the time until the bar is finished.
        MadeUp{"keras", "steps/s", 40,
               keras("",
                     "400/500 \xe2\x94\x81\xe2\x94\x81 2s 20ms/step - loss: 2.4\r500/500 "
                     "\xe2\x94\x81\xe2\x94\x81 0s 20ms/step - loss: 2.3\r500/500 "
                     "\xe2\x94\x81\xe2\x94\x81 13s 25ms/step - loss: 2.3 - val_loss: 2.2")},
        // TensorFlow 1.14 shows the bar of the validation first.
        MadeUp{"keras", "steps/s", 50,
               keras("",
                     "100/100 [====] - 1s 10ms/step - loss: 2.2\n500/500 [====] - 10s 20ms/step - "
                     "loss: 2.3 - val_loss: 2.2")},
        MadeUp{"keras", "steps/s", 50,
               keras("", "500/500 - 10s - loss: 2.3 - accuracy: 0.1 - 10s/epoch - 20ms/step")},
        MadeUp{"keras_epochs", "epochs/s", 0.1, keras("", " - 10s - loss: 2.3000 - acc: 0.1000")},
        MadeUp{"keras", "samples/s", 5000,
               keras("Train on 50000 samples, validate on 10000 samples\n",
                     " - 10s - loss: 2.3000 - acc: 0.1000")},
        MadeUp{"pytorch_imagenet", "steps/s", metered,
               meters("Epoch: [{}][{:4}/200]\tTime {:6.3f} ({:.6f})\tData {:6.3f} ({:.6f})\tLoss "
                      "6.9e+00 (6.9e+00)\tAcc@1 0.39 ( 0.20)")},
        MadeUp{
            "pytorch_imagenet", "images/s", 32 * metered,
            "Namespace(arch='resnet50', batch_size=32, epochs=90)\n" +
                meters(
                    "2024-01-02 03:04:05,678 [train.py:10] INFO Epoch: [{}][{}/200]\tTime {:.3f}s "
                    "({:.6f}s)\tData {:.3f}s ({:.6f}s)\tLoss 6.9 (6.9)")},
        MadeUp{
            "pytorch_imagenet", "images/s", 32 * metered,
            meters(
                "Epoch: [{}][{}/200]\tTime {:.3f}s ({:.6f}s)\tSpeed 64.0 samples/s\tData {:.3f}s "
                "({:.6f}s)\tLoss 0.002 (0.002)")},
        MadeUp{
            "pytorch_imagenet", "steps/s", metered,
            meters("Train: [{}][{}/200]\tBT {:.3f} ({:.6f})\tDT {:.3f} ({:.6f})\tloss 5.5 (5.6)")},
        MadeUp{
            "timm", "images/s", 32 * metered,
            meters(
                "Train: {} [{:4}/200 (  5%)]  Loss: 6.9 (6.9)  Time: {:.3f}s,   64.00/s  ({:.6f}s, "
                "  6.40/s)  LR: 1.000e-06  Data: {:.3f} ({:.6f})")},
        MadeUp{
            "swin", "images/s", 32 * metered,
            "  BATCH_SIZE: 32\n" +
                meters(
                    "[2024-01-02 03:04:05 swin] (main.py 200): INFO Train: [{}/300][{}/200]\teta "
                    "0:05:00 lr 0.000010\ttime {:.4f} ({:.6f})\tloss 6.9 (6.9)\tmem 8000MB")},
        MadeUp{"metric_logger", "steps/s", 2,
               nanogpt("",
                       "[03:04:05.678901] Epoch: [0]  [{:3}/200]  eta: 0:05:00  lr: 0.000100  "
                       "loss: 6.9000 (6.9500)  time: 0.5000  data: {:.4f}  max mem: 8000")},
        MadeUp{"metric_logger", "images/s", 128,
               nanogpt(
                   "Namespace(accum_iter=1,\nbatch_size=32,\nworld_size=2)\n",
                   "Training  [{:3}/200]  eta: 0:05:00  loss: 6.9000 (6.9500)  time: 0.5000  data: "
                   "{:.4f}")},
        MadeUp{"lightning", "steps/s", 0.5,
               lines_of(90,
                        [](int step) {
                          return with(
                              "Epoch 0: |          | {}/? [{:02}:{:02}<00:00, 0.50it/s, v_num=1]",
                              step, 2 * step / 60, 2 * step % 60);
                        })},
        MadeUp{"lightning", "steps/s", 0.5,
               lines_of(90,
                        [](int step) {
                          return with(
                              "Epoch 0/9 \xe2\x94\x81\xe2\x94\x81 {}/90 0:{:02}:{:02} "
                              "\xe2\x80\xa2 0:00:10 0.50it/s loss: 2.5",
                              step, 2 * step / 60, 2 * step % 60);
                        })},
        MadeUp{"lightning", "steps/s", 0.5, bars("", "Epoch {}: ", 200, 2, ", v_num=1, loss=2.5")},
        MadeUp{"yolo", "images/s", 8,
               bars("train: weights=x.pt, epochs=2, batch_size=16, imgsz=640\n",
                    "      {}/1      4.5G     0.1213    0.03328    0.0125        120        640: ",
                    200, 2)},
        MadeUp{
            "yolo", "images/s", 8,
            bars("engine/trainer: task=detect, mode=train, batch=16, imgsz=640\n",
                 "1700000000000 host error       {}/1      4.5G     0.12    0.03    120    640: ",
                 200, 2)},
        MadeUp{"yolo", "steps/s", 2,
               lines_of(60,
                        [](int step) {
                          return with(
                              "      1/3      2.3G      1.2      1.1      12        640: "
                              "{}% \xe2\x94\x81\xe2\x94\x80 {}/60 2.0it/s {:.1f}s<30.0s",
                              step, step, 0.5 * step);
                        })},
        MadeUp{"torchtune", "steps/s", 0.5, bars("", "1|{}|Loss: 2.5: ", 200, 2)},
        MadeUp{
            "torchtitan", "tokens/s", 131072,
            nanogpt(
                "[rank0]:[titan] Trainer is initialized with local batch size 8, global batch size "
                "64, gradient accumulation steps 1, sequence length 2048, total steps 1000\n",
                "[rank0]:[titan] step: {0}  loss:  8.5  memory: 20.5GiB(25.9%)  tps: 16,384  "
                "mfu: 40.00%")},
        // Tensors are split over two devices as well.
        MadeUp{
            "torchtitan", "tokens/s", 131072,
            nanogpt(
                "Building device mesh with parallelism: pp=1, dp_replicate=1, dp_shard=4, cp=1, "
                "tp=2, ep=1, etp=1\nTrainer is initialized with local batch size 8, global batch "
                "size 32, gradient accumulation steps 1, sequence length 2048, total steps 1000\n",
                "step: {0}  loss:  8.5  memory: 20.5GiB(25.9%)  tps: 16,384  mfu: 40.00%")},
        MadeUp{
            "torchtitan", "tokens/s", 131072,
            nanogpt(
                "Building 2-D device mesh with ['dp_shard', 'tp'], [4, 2]\nTraining starts at step "
                "1, with local batch size 8, global batch size 32, sequence length 2048\n",
                "step: {0}  loss:  8.5  memory: 20.5GiB(25.9%)  wps: 16,384  mfu: 40.00%")},
        MadeUp{"deepspeed", "samples/s", 100,
               lines_of(30,
                        [](int step) {
                          return with(
                              "[INFO] [timer.py:198:stop] 0/{}, RunningAvgSamplesPerSec={}, "
                              "CurrSamplesPerSec=99.5, MaxMemAllocated=10.6GB",
                              10 * step,
                              step == 1 ? 50.0 : (10 * step - 2) / (0.16 + 0.1 * (step - 1)));
                        })},
        MadeUp{"deepspeed", "samples/s", 100,
               lines_of(30,
                        [](int step) {
                          return with(
                              "[INFO] [engine.py:99:log] steps: {} loss: 5.9 iter time (s): "
                              "{:.3f} samples/sec: {:.3f}",
                              10 * step, seconds_at(step), 50 / seconds_at(step));
                        })},
        MadeUp{"detectron2", "images/s", 32,
               log_of("  IMS_PER_BATCH: 16\nINFO: Starting training from iteration 0\n", 30,
                      [](int step) {
                        const int done = 20 * step - 3;
                        return with(
                            "[01/02 03:04:05] d2.utils.events INFO:  eta: 0:05:00  iter: {}  "
                            "total_loss: 2.5  loss_cls: 1.5  time: {:.6f}  data_time: 0.05  lr: "
                            "0.01  max_mem: 8000M",
                            20 * step - 1, (5 + 0.5 * done) / done);
                      })},
        MadeUp{"detectron2_metrics", "steps/s", 2,
               lines_of(30,
                        [](int step) {
                          return with(R"({{"data_time": 0.05, "iteration": {}, "time": {}, )"
                                      R"("total_loss": 2.5}})",
                                      20 * step - 1, seconds_at(step));
                        })},
        MadeUp{"composer", "samples/s", 512,
               lines_of(30,
                        [](int step) {
                          return with(
                              "[batch={}/400]:\n\t Train loss/train/total: 8.5\n\t Train "
                              "throughput/samples_per_sec: {}\n\t Train "
                              "throughput/device/samples_per_sec: 64.0",
                              10 * step, step == 1 ? 51.2 : 512.0);
                        })}),
    numbered_cases);

TEST(TodaysPrograms, OnlyTheFirstStepsOfEpochsGiveNoFigure) {
  const std::string log = lines_of(14, [](int epoch) {
    return with("Epoch: [{}][  0/782]\tTime  4.126 ( 4.126)\tLoss 2.9e+00 (2.9e+00)", epoch);
  });
  const LogFigure figure = blind(log, "pytorch_imagenet");
  EXPECT_TRUE(std::isnan(figure.throughput));
  EXPECT_EQ(figure.confidence, Confidence::low);
  EXPECT_TRUE(has_verdict(figure, "no-figure"));
}

TEST(TodaysPrograms, AProgramGoesBeforeTheLibraryThatItUses) {
  // DeepSpeed prints every step, and the program every third.
  const std::string log = lines_of(400, [](int step) {
    std::string lines = with(
        "[INFO] [timer.py:198:stop] 0/{}, RunningAvgSamplesPerSec=100.0, "
        "CurrSamplesPerSec=99.5",
        step + 2);
    if (step % 3 == 0)
      lines += with(
          "\n iteration {:8}/ 400 | elapsed time per iteration (ms): 500.0 | global batch "
          "size: 64 | lm loss: 9.1E+00 |",
          step);
    return lines;
  });
  EXPECT_EQ(dialect_of(log), "megatron");
}

TEST(TodaysPrograms, RestartsAreRunsAndTheLongestIsTheFigure) {
  const auto run = [](int records, int batch, double seconds) {
    return with("Namespace(batch_size={}, epochs=90)\n", batch) + lines_of(records, [&](int step) {
             return with(
                 "Epoch: [0]  [{:3}/900]  eta: 0:05:00  loss: 6.9 (6.9)  time: {:.4f}  data: "
                 "0.0100  max mem: 8000",
                 10 * step, seconds);
           });
  };
  const LogFigure figure =
      blind(run(12, 32, 0.5) + run(40, 64, 0.25) + run(30, 16, 1), "metric_logger");
  EXPECT_EQ(figure.runs, 3U);
  EXPECT_EQ(figure.run, 2U);
  EXPECT_NEAR(figure.throughput, 256, 0.1);
}

TEST(TodaysPrograms, WhatRanksPrintALittleLaterIsNoRestart) {
  const std::string log = lines_of(40, [](int step) {
    const auto line = [](int of) {
      return with(
          "Epoch: [0]  [{:3}/900]  eta: 0:05:00  loss: 6.9 (6.9)  time: 0.5000  data: 0.0100",
          10 * of);
    };
    return step > 5 ? line(step) + "\n" + line(step - 1) : line(step);
  });
  const LogFigure figure = blind(log, "metric_logger");
  EXPECT_EQ(figure.runs, 1U);
  EXPECT_NEAR(figure.throughput, 2, 0.01);
}

TEST(TodaysPrograms, PausesAreCountedAndNamed) {
  const std::string log = lines_of(200, [](int step) {
    return with("iter {}: loss 8.5000, time {:.2f}ms, mfu 40.00%", step,
                step % 10 == 0 ? 5500.0 : 500.0);
  });
  const LogFigure figure = blind(log, "nanogpt");
  EXPECT_NEAR(figure.throughput, 1, 0.01);
  EXPECT_NEAR(figure.without_pauses, 2, 0.01);
  EXPECT_TRUE(has_verdict(figure, "pauses"));
}

TEST(TodaysPrograms, TimeStampsThatContradictThePrintedTimeAreNamed) {
  const auto log = [](int batch) {
    return with("[config.py:99:print]   train_batch_size ............. {}\n", batch) +
           lines_of(30, [](int step) {
             return with(
                 "[2024-01-02 03:{:02}:{:02},000] [INFO] [timer.py:198:stop] 0/{}, "
                 "RunningAvgSamplesPerSec=100.0, CurrSamplesPerSec=99.5",
                 step / 6, step % 6 * 10, 10 * step);
           });
  };
  // One step per second, 100 samples per second.
  EXPECT_FALSE(has_verdict(blind(log(100), "deepspeed"), "clock-differs"));
  EXPECT_TRUE(has_verdict(blind(log(20), "deepspeed"), "clock-differs"));
  EXPECT_NEAR(blind(log(20), "deepspeed").throughput, 100, 0.1);
  // The batch is unknown: there is no time to compare.
  const std::string silent = log(20).substr(log(20).find('\n') + 1);
  EXPECT_FALSE(has_verdict(blind(silent, "deepspeed"), "clock-differs"));
}

TEST(TodaysPrograms, TimesOfAStepThatTakeLongerThanTheClockAreNamed) {
  // A line every ten steps, of 250 ms each; every tenth line holds an evaluation.
  const auto log = [](double milliseconds) {
    return lines_of(60, [&](int i) {
      return with("2024-01-02 03:{:02}:{:02},000 iter {}: loss 8.5, time {:.2f}ms", 3 * i / 60,
                  3 * i % 60, 10 * i, i % 10 == 0 ? 5000.0 : milliseconds);
    });
  };
  EXPECT_FALSE(has_verdict(blind(log(250), "nanogpt"), "clock-differs"));
  EXPECT_FALSE(has_verdict(blind(log(100), "nanogpt"), "clock-differs")) << "evaluations may";
  EXPECT_TRUE(has_verdict(blind(log(2500), "nanogpt"), "clock-differs"));
}

TEST(TodaysPrograms, ValidationInAnEpochsBarIsNoStep) {
  std::string log;
  for (int step = 1; step <= 200; ++step) {
    const int elapsed = 2 * step + (step > 100 ? 60 : 0);
    log += with("Epoch 0: 10%|#         | {}/200 [{:02}:{:02}<01:00, 2.00it/s]\r", step,
                elapsed / 60, elapsed % 60);
    if (step == 100) log += "Epoch 0: 10%|#         | 100/200 [04:20<01:00, 2.00it/s]\r";
  }
  EXPECT_NEAR(blind(log, "lightning").throughput, 0.5, 0.005);
}

TEST(TodaysPrograms, TheStepsOfABarsLastSecondCount) {
  std::string log;
  for (int epoch = 0; epoch < 30; ++epoch)
    for (int step = 1; step <= 20; ++step)
      log +=
          with("Epoch {}: 10%|#         | {}/20 [00:0{}<00:01, 9.00it/s]\r", epoch, step, step / 9);
  EXPECT_NEAR(blind(log, "lightning").throughput, 10, 0.1);
}

TEST(TodaysPrograms, TheBarOfAnEvaluationIsNotThatOfTheTraining) {
  std::string log;
  for (int step = 1; step <= 200; ++step) {
    log += with(" 10%|#         | {}/400 [{:02}:{:02}<01:00, 2.00s/it]\r", step, 2 * step / 60,
                2 * step % 60);
    if (step % 50 != 0) continue;
    for (int part = 0; part <= 50; ++part)
      log += with(" 10%|#         | {}/50 [00:{:02}<01:00, 9.00it/s]\r", part, part / 5);
  }
  const LogFigure figure = blind(log, "hf_trainer");
  EXPECT_NEAR(figure.throughput, 0.5, 0.005);
  EXPECT_EQ(figure.runs, 1U);
}

/// States of a bar from `first` to `last` whose clock begins with them, at `of_step` seconds a
/// step.
std::string states(const std::string& title, int first, int last, int total, double of_step,
                   int every = 1) {
  std::string text;
  for (int step = first; step <= last; step += every) {
    const int elapsed = static_cast<int>(of_step * (step - first));
    text += with("{} 10%|#         | {}/{} [{:02}:{:02}<01:00, 9.00it/s]\r", title, step, total,
                 elapsed / 60, elapsed % 60);
  }
  return text;
}

TEST(TodaysPrograms, TheStepsThatAResumedRunJumpsOverAreNone) {
  const std::string mark = "{'loss': 2.5, 'epoch': 0.1}\n";
  const std::string zero = " 0%|          | 0/400 [00:00<?, ?it/s]\r";
  const std::string before = states("", 0, 100, 400, 2);
  const auto hf = [&](const std::string& after) {
    return blind(mark + before + after, "hf_trainer");
  };
  // The bar jumps from 0 when a step is done, or goes on where the last one was.
  const std::string after = states("", 100, 400, 400, 2);
  EXPECT_NEAR(hf(zero + after.substr(after.find('\r') + 1)).throughput, 0.5, 0.005);
  EXPECT_NEAR(hf(states("", 101, 400, 400, 2)).throughput, 0.5, 0.005);

  const LogFigure lightning =
      blind(states("Epoch 3:", 0, 100, 400, 2) + states("Epoch 3:", 100, 400, 400, 2), "lightning");
  EXPECT_NEAR(lightning.throughput, 0.5, 0.005);

  const auto line = [](int step, int seconds) {
    return with(R"({{"current_steps": {}, "total_steps": 400, "loss": 2.5, "elapsed_time": )"
                R"("0:{:02}:{:02}"}})",
                step, seconds / 60, seconds % 60) +
           "\n";
  };
  std::string factory;
  for (int step = 5; step <= 100; step += 5) factory += line(step, 2 * step);
  for (int step = 105; step <= 400; step += 5) factory += line(step, 2 * (step - 100));
  EXPECT_NEAR(blind(factory, "hf_trainer").throughput, 0.5, 0.005);
}

TEST(TodaysPrograms, RanksWhoseClocksDifferAreNotResumed) {
  std::string log = "{'loss': 2.5, 'epoch': 0.1}\n";
  for (int step = 20; step <= 200; ++step)
    for (const int late : {0, 5})
      log += with(" 10%|#         | {}/400 [{:02}:{:02}<01:00, 2.00s/it]\r", step + late % 2,
                  (2 * step + 2 - late) / 60, (2 * step + 2 - late) % 60);
  EXPECT_NEAR(blind(log, "hf_trainer").throughput, 0.5, 0.01);
}

TEST(TodaysPrograms, LossesSayWhichBarIsThatOfTheTraining) {
  const std::string loss = "\n{'loss': 2.5, 'epoch': 0.1}\n";
  const std::string last_loss = "\n{'loss': 2.5, 'epoch': 1.0}\n";
  const std::string evaluation = states("", 0, 900, 900, 0.1, 10);
  const std::string closing =
      "\n{'train_runtime': 100.5, 'train_samples_per_second': 4.75, 'epoch': 1.0}\n";
  const std::string first = states("", 0, 60, 200, 2);
  const std::string rest = states("", 61, 200, 200, 2);
  const std::string whole = states("", 0, 200, 200, 2);
  const std::string data = states("", 0, 9000, 9000, 0.01, 100);
  for (const std::string& log :
       {loss + whole + closing + evaluation,  // it evaluates when it has trained
        whole + last_loss + evaluation + "\n{'eval_loss': 2.25, 'epoch': 1.0}\n" + closing,
        data + first + loss + rest + closing,  // it looks at its data before
        data + loss + whole + closing,         // the same, and losses come early
        data + first + loss + rest + loss + evaluation}) {
    const LogFigure figure = blind(log, "hf_trainer");
    EXPECT_NEAR(figure.throughput, 0.5, 0.005);
    EXPECT_FALSE(has_verdict(figure, "several-runs"));
  }
}

TEST(TodaysPrograms, TheNextTrainingOfAProgramIsOneToo) {
  const std::string loss = "\n{'loss': 2.5, 'epoch': 0.5}\n";
  const std::string log = states("", 0, 30, 60, 2) + loss + states("", 31, 60, 60, 2) +
                          states("", 0, 50, 50, 0.1, 10) + "\n{'eval_loss': 2.5}\n" +
                          states("", 0, 30, 300, 4) + loss + states("", 31, 300, 300, 4) + loss;
  const LogFigure figure = blind(log, "hf_trainer");
  EXPECT_NEAR(figure.throughput, 0.25, 0.0025);
  EXPECT_EQ(figure.runs, 2U);
}

TEST(TodaysPrograms, BatchesOfAValidationThatABarCountsAreNoSteps) {
  for (const char* title : {"Validating:", "Validation DataLoader 0:"}) {
    std::string log = "Validation sanity check: 0%|          | 0/2 [00:00<?, ?it/s]\r";
    for (int epoch = 0; epoch < 4; ++epoch) {
      const auto state = [&](int done, int elapsed) {
        log += with("Epoch {}: 10%|#         | {}/400 [{:02}:{:02}<00:10, 9.00it/s, loss=2.5]\r",
                    epoch, done, elapsed / 60, elapsed % 60);
      };
      for (int step = 0; step <= 200; step += 10) state(step, step / 2);
      for (int part = 10; part <= 200; part += 10) {
        log +=
            with("{} 10%|#         | {}/200 [00:{:02}<00:10, 9.00it/s]\r", title, part, part / 10);
        state(200 + part, 100 + part / 10);
      }
    }
    EXPECT_NEAR(blind(log, "lightning").throughput, 2, 0.02) << title;
  }
}

TEST(TodaysPrograms, ABarThatWaitsForAValidationGoesOnBehindIt) {
  std::string log;
  for (int step = 0; step <= 400; step += 10) {
    const int elapsed = step / 2 + step / 100 * 20;
    const auto state = [&](int seconds) {
      log += with("Epoch 0: 10%|#         | {}/400 [{:02}:{:02}<00:10, 9.00it/s, v_num=1]\r", step,
                  seconds / 60, seconds % 60);
    };
    if (step % 100 == 0 && step > 0) {
      state(elapsed - 20);
      log += states("Validation DataLoader 0:", 0, 50, 50, 0.4);
    }
    state(elapsed);
    // rich draws all bars again.
    if (step > 100)
      log += "Validation DataLoader 0: 10%|#         | 50/50 [00:20<00:00, 9.00it/s]\r";
  }
  const LogFigure figure = blind(log, "lightning");
  EXPECT_NEAR(figure.throughput, 2, 0.02);
  EXPECT_EQ(figure.records, 40U);
}

TEST(TodaysPrograms, TellQualityInputMemoryAndMfu) {
  const LogFigure detection =
      blind(log_of("", 30,
                   [](int step) {
                     return with(
                         "Epoch: [0]  [{:3}/900]  eta: 0:05:00  loss: 6.9000 ({}.0)  time: 0.5000  "
                         "data: 0.0500  max mem: 8000",
                         10 * step, step);
                   }) +
                "Test:  [49/50]  eta: 0:00:00  Acc@1 52.5 (68.5)\n* Acc@1 75.25 Acc@5 92.5\n"
                "Training time 1 day, 1:00:00\n",
            "metric_logger");
  EXPECT_NEAR(detection.input_share, 0.1, 1e-6);
  EXPECT_DOUBLE_EQ(detection.memory, 8000 * 0x1p20);
  EXPECT_DOUBLE_EQ(detection.quality.at("Acc@1"), 75.25);
  EXPECT_DOUBLE_EQ(detection.quality.at("loss"), 6.9);
  EXPECT_DOUBLE_EQ(detection.quality.at("time_to_train"), 90000);
  const LogFigure language = blind(nanogpt("", "iter {}: loss 8.5000, time {:.2f}ms, mfu 40.00%") +
                                       "step 100: train loss 3.2143, val loss 3.2382\n",
                                   "nanogpt");
  EXPECT_NEAR(language.mfu, 0.4, 1e-9);
  EXPECT_DOUBLE_EQ(language.quality.at("val_loss"), 3.2382);
  const LogFigure classes = blind(
      meters("Train: {} [{:4}/200 (  5%)]  Loss: 6.9 (6.9)  Time: {:.3f}s,   64.00/s  ({:.6f}s,   "
             "6.40/s)  LR: 1.000e-06  Data: {:.3f} ({:.6f})") +
          "Test: [ 390/390]  Time: 0.5 (0.6)  Loss: 2.25 (1.5)  Acc@1: 52.5000 (68.5000)\n",
      "timm");
  EXPECT_DOUBLE_EQ(classes.quality.at("Acc@1"), 68.5);
  EXPECT_NEAR(classes.input_share, 0.1, 1e-4);
  const LogFigure old = blind(lines_of(40, [](int step) { return seg_line(step, 16, 0.5); }),
                              "paddleseg", {.gpus = 1, .batch = 8});
  EXPECT_NEAR(old.input_share, 0.02, 1e-6);
}

TEST(TodaysPrograms, WeightsThatAreAveragedHaveAQualityOfTheirOwn) {
  const LogFigure figure = blind(
      meters("Train: {} [{:4}/200 (  5%)]  Loss: 6.9 (6.9)  Time: {:.3f}s,   64.00/s  ({:.6f}s,   "
             "6.40/s)  LR: 1.000e-06  Data: {:.3f} ({:.6f})") +
          "Test: [ 390/390]  Time: 0.5 (0.6)  Loss: 2.25 (1.5)  Acc@1: 52.5 (68.5)  Acc@5: 80 "
          "(89)\n"
          "Test (EMA): [ 390/390]  Time: 0.5 (0.6)  Loss: 6.9 (6.9)  Acc@1: 0.0 (0.5)  Acc@5: 0 "
          "(1)\n",
      "timm");
  EXPECT_DOUBLE_EQ(figure.quality.at("Acc@1"), 68.5);
  EXPECT_DOUBLE_EQ(figure.quality.at("Acc@5"), 89);
  EXPECT_DOUBLE_EQ(figure.quality.at("ema_Acc@1"), 0.5);
}

TEST(TodaysPrograms, MetersOfTheImageNetExampleAreQuality) {
  const LogFigure figure =
      blind(meters("Epoch: [{}][{:4}/200]\tTime {:6.3f} ({:.6f})\tData {:6.3f} ({:.6f})\tLoss 6.9 "
                   "(6.9)\tEPE 1.975 (1.819)") +
                "val[ 0/40]\tTime  2.171 ( 2.171)\tLoss 7.1e-02 (7.2e-02)\tAcc@1  98.44 ( 97.50)\n",
            "pytorch_imagenet");
  EXPECT_DOUBLE_EQ(figure.quality.at("EPE"), 1.819);
  EXPECT_DOUBLE_EQ(figure.quality.at("val_Acc@1"), 97.5);
  EXPECT_DOUBLE_EQ(figure.quality.at("val_loss"), 0.072);
  EXPECT_DOUBLE_EQ(figure.quality.at("loss"), 6.9);
  EXPECT_FALSE(figure.quality.contains("Loss"));
}

TEST(TodaysPrograms, ValidationOfTorchTitanIsItsLossAndNotItsStep) {
  const LogFigure figure =
      blind(nanogpt("", "step: {0}  loss:  8.5  memory: 20.5GiB(25.9%)  tps: 16,384  mfu: 4.0%") +
                "validate step: 30  loss:  3.2500  memory: 20.50GiB(25.90%)  tps: 40,000\n",
            "torchtitan");
  EXPECT_DOUBLE_EQ(figure.quality.at("val_loss"), 3.25);
  EXPECT_EQ(figure.records, 30U);
}

TEST(TodaysPrograms, WhateverHuggingFacesTrainerEvaluatesIsQuality) {
  const LogFigure figure =
      blind(bars("{'loss': '2.5', 'memory(GiB)': '40.5', 'epoch': '0.5'}\n", "", 400, 2) +
                "{'eval_loss': 2.25, 'eval_f1': 0.75, 'eval_runtime': 9.5, 'epoch': 1.0}\n"
                "{'train_runtime': '733.8', 'train_samples_per_second': '4.75'}\n",
            "hf_trainer");
  EXPECT_DOUBLE_EQ(figure.quality.at("eval_f1"), 0.75);
  EXPECT_DOUBLE_EQ(figure.quality.at("eval_loss"), 2.25);
  EXPECT_FALSE(figure.quality.contains("eval_runtime"));
  EXPECT_DOUBLE_EQ(figure.quality.at("time_to_train"), 733.8);
  EXPECT_DOUBLE_EQ(figure.memory, 40.5 * 0x1p30);
}

TEST(TodaysPrograms, MemoryAndInputMayStandBesideTheRecord) {
  const std::string beside =
      "[Rank 0] (after 10 iterations) memory (MB) | allocated: 2.5 | max allocated: 7000.5 | "
      "reserved: 1.0 | max reserved: 8000.0\n";
  const std::string log =
      megatron("", "elapsed time per iteration (ms):", 1000, " global batch size:    64 |");
  for (const char* timer : {"    batch-generator ......................: (45.00, 50.00)\n",
                            "time (ms) | forward-compute: 300.00 | batch-generator: 50.00 |\n"}) {
    const LogFigure figure = blind(beside + timer + log, "megatron");
    EXPECT_DOUBLE_EQ(figure.memory, 7000.5 * 0x1p20) << timer;
    EXPECT_NEAR(figure.input_share, 0.1, 1e-6) << timer;
  }
  const LogFigure composer = blind(
      lines_of(30,
               [](int step) {
                 return with(
                     "[batch={}/400]:\n\t Train throughput/device/mfu: 0.4\n\t Train "
                     "memory/peak_allocated_mem: 20.5\n\t Train throughput/samples_per_sec: 512.0",
                     10 * step);
               }),
      "composer");
  EXPECT_NEAR(composer.mfu, 0.4, 1e-9);
  EXPECT_DOUBLE_EQ(composer.memory, 20.5e9);
}

TEST(TodaysPrograms, JsonSaysWhatTheyTell) {
  const nlohmann::json json =
      blind(nanogpt("", "iter {}: loss 8.5000, time {:.2f}ms, mfu 40.00%"), "nanogpt");
  EXPECT_EQ(json.at("confidence"), "high");
  EXPECT_EQ(json.at("quality").at("loss"), 8.5);
  EXPECT_NEAR(json.at("mfu").get<double>(), 0.4, 1e-9);
  EXPECT_TRUE(json.at("input_share").is_null());
}

}  // namespace
}  // namespace trainmark
