#include <gtest/gtest.h>

#include <cmath>

#include "base/error.h"
#include "base/text.h"
#include "case_name.h"
#include "logs/detect.h"
#include "made_up_logs.h"

namespace trainmark {
namespace {

/// The last record in a text; the kind of record is left at `table` where there is none.
Record last_record(const std::string& text, const std::string& dialect) {
  const LogContents contents = read_text(text, dialect);
  if (!contents.records.empty()) return contents.records.back();
  Record none;
  none.kind = RecordKind::table;
  return none;
}

std::string found_dialect(const std::string& text) {
  LineReader lines(std::make_unique<PiecewiseSource>(text));
  const Detection detection = detect_dialect(lines);
  return detection.known() ? detection.candidates.front().name : "";
}

TEST(FlagPerf, TellsTheTimeInMilliseconds) {
  const Record record = last_record(dialect_named("flagperf").sample + "\n", "flagperf");
  EXPECT_DOUBLE_EQ(record.stamp, 1'700'000'000);
  EXPECT_EQ(record.rank, 0);
}

std::string mlperf_event(const std::string& key, int seconds, const std::string& value,
                         const std::string& metadata) {
  return fmt::format(
      ":::MLLOG {{\"time_ms\": {}000, \"key\": \"{}\", \"value\": {}, \"metadata\": {{{}}}}}\n",
      seconds, key, value, metadata);
}

/// A block of 10 s.
Record mlperf_block(const std::string& head, const std::string& start, const std::string& stop) {
  return last_record(head + mlperf_event("block_start", 10, "null", start) +
                         mlperf_event("block_stop", 20, "null", stop),
                     "mlperf");
}

TEST(MlPerf, ABlockMayHoldSeveralEpochs) {
  const std::string head = mlperf_event("train_samples", 1, "1000", "");
  const Record record = mlperf_block(head, "", R"("epoch_count": 4)");
  EXPECT_DOUBLE_EQ(record.items, 4000);
  EXPECT_DOUBLE_EQ(record.seconds, 10);
}

TEST(MlPerf, ABlockMaySayItsSamplesAtBothEnds) {
  const std::string start = R"("samples_count": 2500)";
  const std::string stop = R"("samples_count": 2900)";
  const std::string head = mlperf_event("train_samples", 1, "100000", "");
  EXPECT_DOUBLE_EQ(mlperf_block(head, start, stop).items, 400);
  EXPECT_DOUBLE_EQ(mlperf_block("", start, stop).items, 400) << "some say the rest at the end";
  EXPECT_DOUBLE_EQ(mlperf_block(head, "", stop).items, 100000);
  EXPECT_EQ(mlperf_block(head, start, start).kind, RecordKind::table) << "there is no record";
}

TEST(MlPerf, AnEpochMayBeASample) {
  const std::string block = R"("first_epoch_num": 500000, "epoch_count": 20000)";
  const std::string head = mlperf_event("train_samples", 1, "9000000", "");
  EXPECT_DOUBLE_EQ(mlperf_block(head, block, block).items, 20000);
  const std::string batch = mlperf_event("global_batch_size", 1, "30000", "");
  EXPECT_DOUBLE_EQ(mlperf_block(head + batch, block, block).items, 20000.0 * 9000000)
      << "there are no fewer samples than those of a step";
  // A small set has many epochs.
  const std::string few = mlperf_event("train_samples", 1, "150", "");
  EXPECT_DOUBLE_EQ(mlperf_block(few, "", R"("epoch_count": 2000)").items, 150.0 * 2000);
}

TEST(DlLogger, InferenceAndTimesAreNoSpeedOfTheTraining) {
  const auto line_of = [](const std::string& data) {
    return fmt::format(
        "DLLL {{\"timestamp\": \"1.5\", \"type\": \"LOG\", \"step\": [], \"data\": {{{}}}}}\n",
        data);
  };
  const LogFigure figure =
      blind(line_of(R"("e2e_train_time": 90.5, "training_sequences_per_second": 64.5)") +
                line_of(R"("e2e_inference_time": 30.5, "inference_sequences_per_second": 350.5)"),
            "dllogger_json");
  EXPECT_DOUBLE_EQ(figure.throughput, 64.5);
  for (const char* data : {R"("train_time_sec": 0.5)", R"("train_latency_per_second": 0.5)"})
    EXPECT_EQ(read_text(line_of(data), "dllogger_json").found, 0U) << data;
}

class EveryDialect : public testing::TestWithParam<std::string> {};

TEST_P(EveryDialect, ReadsItsOwnSampleAndIsFoundByIt) {
  const Dialect& dialect = dialect_named(GetParam());
  const LogContents contents = read_text(dialect.sample + "\n", GetParam());
  EXPECT_EQ(contents.found, 1U);
  EXPECT_EQ(found_dialect(dialect.sample + "\n"), GetParam());
}

TEST_P(EveryDialect, ReadsARecordOnceWhereverItStands) {
  const Dialect& dialect = dialect_named(GetParam());
  const std::string sample = dialect.sample;
  // No line end, Windows' line end, a progress bar before it, colours and a NUL around it.
  EXPECT_EQ(read_text(sample, GetParam()).found, 1U);
  EXPECT_EQ(read_text(sample + "\r\n", GetParam()).found, 1U);
  EXPECT_EQ(read_text(" 10%|#    |\r 20%|##   |\r" + sample + "\n", GetParam()).found, 1U);
  EXPECT_EQ(
      read_text(sample + "\n" + std::string("device: \0.", 10) + "\n\x1b[0m\n", GetParam()).found,
      1U);
}

TEST_P(EveryDialect, ReadsARecordInColours) {
  const std::string sample = dialect_named(GetParam()).sample;
  std::string coloured;
  for (std::size_t i = 0; i < sample.size(); ++i) {
    if (i % 3 == 0) coloured += i % 2 == 0 ? "\x1b[1;31m" : "\x1b[0m";
    coloured += sample[i];
  }
  EXPECT_EQ(read_text(coloured + "\x1b[0m\n", GetParam()).found, 1U);
}

TEST_P(EveryDialect, ReadsNothingInAHeaderFullOfDecoys) {
  const std::string header =
      "LAUNCH INFO 2024-01-02 03:04:05,627 ips: None\nips: 127.0.0.1\n--ips:0,1,2\n"
      "| Translated 3000 sentences (82049 tokens) in 62.4s (48.04 sentences/s, 1313.91 tokens/s)\n"
      "DLL 2024-01-02 03:04:05.000000 -  throughput_val : 765.95\n"
      "DLL 2024-01-02 03:04:05.000000 - PARAMETER batch_size : 256 total_ips : 3\n"
      "[2024/01/02 03:04:05] ppcls INFO: END epoch:0   train  loss:  6.9 batch_cost: 0.7 s, ips: "
      "21.6\n"
      "INFO:tensorflow:Throughput Average (sentences/sec) with overhead = 2795.08\n";
  EXPECT_EQ(read_text(header, GetParam()).found, 0U);
}

TEST_P(EveryDialect, SurvivesItsSampleCutAnywhere) {
  const std::string sample = dialect_named(GetParam()).sample;
  for (std::size_t size = 0; size < sample.size(); ++size) {
    EXPECT_LE(read_text(sample.substr(0, size), GetParam()).found, 1U);
    EXPECT_LE(read_text(sample.substr(size), GetParam()).found, 1U);
  }
}

INSTANTIATE_TEST_SUITE_P(Registered, EveryDialect, testing::ValuesIn(Registry<Dialect>::names()),
                         [](const auto& name) { return name.param; });

TEST(Dialects, AllFormatsThatAreKnownInTheWildAreThere) {
  for (const char* name : {"paddleclas",
                           "paddlenlp_bert",
                           "paddlenlp_transformer",
                           "paddleseg",
                           "paddlerec",
                           "plsc",
                           "dllogger",
                           "dllogger_json",
                           "dll_resnet50_pytorch",
                           "dll_mxnet",
                           "dll_resnet50_tf",
                           "dll_bert_pytorch",
                           "dll_bert_tf",
                           "mmcv",
                           "fairseq_transformer",
                           "mxnet",
                           "tf_estimator",
                           "tf_cnn_benchmarks",
                           "mlperf",
                           "ai_rank",
                           "flagperf",
                           "dlbs",
                           "milabench",
                           "trainmark",
                           "megatron",
                           "deepspeed",
                           "nanogpt",
                           "modded_nanogpt",
                           "nanochat",
                           "llmc",
                           "hf_trainer",
                           "keras",
                           "pytorch_imagenet",
                           "timm",
                           "lightning",
                           "detectron2",
                           "detectron2_metrics",
                           "yolo",
                           "torchtitan",
                           "torchtune",
                           "metric_logger",
                           "swin",
                           "composer"}) {
    EXPECT_NE(Registry<Dialect>::find(name), nullptr) << name;
  }
}

struct Reading {
  const char* dialect;
  const char* line;
  RecordKind kind;
  double rate, seconds;  // 0 where the line does not tell
  std::int64_t epoch, step;

  friend void PrintTo(const Reading& it, std::ostream* out) { *out << it.dialect; }
};

class Readings : public testing::TestWithParam<Reading> {};

TEST_P(Readings, GiveTheFieldsOfTheLine) {
  const Reading& expected = GetParam();
  const Record record = last_record(expected.line, expected.dialect);
  EXPECT_EQ(record.kind, expected.kind);
  EXPECT_EQ(record.epoch, expected.epoch);
  EXPECT_EQ(record.step, expected.step);
  EXPECT_DOUBLE_EQ(std::isnan(record.rate) ? 0 : record.rate, expected.rate);
  EXPECT_DOUBLE_EQ(std::isnan(record.seconds) ? 0 : record.seconds, expected.seconds);
}

constexpr auto a_step = RecordKind::step;
constexpr auto an_epoch = RecordKind::epoch;
constexpr auto summary = RecordKind::summary;

INSTANTIATE_TEST_SUITE_P(
    Table, Readings,
    testing::Values(
        Reading{"paddleclas",
                "2021-01-02 03:04:05 INFO: epoch:2   train step:30   top1: 0.1 loss:  6.5 lr: 0.1, "
                "batch_cost: 0.25 s, reader_cost: 0.08 s, ips: 384.5 images/sec.",
                a_step, 384.5, 0.25, 2, 30},
        Reading{"paddleclas",
                "2020-01-02 03:04:05 INFO: epoch:0   train step:7  loss:  6.5 top1: 0.0 lr: 0.1 "
                "elapse: 0.5s ips: 200.25 images/sec.",
                a_step, 200.25, 0.5, 0, 7},
        Reading{"paddlenlp_bert",
                "tobal step: 40, epoch: 1, batch: 3, loss: 9.5, avg_reader_cost: 0.1 sec, "
                "avg_batch_cost: 0.5 sec, avg_samples: 64.0, ips: 128.0 sequences/sec",
                a_step, 128, 0.5, 1, 40},
        Reading{"paddleseg", "[TRAIN] epoch=2, iter=50/400, loss=1.5, lr=0.01, batch_cost=0.25",
                a_step, 0, 0.25, 2, 50},
        Reading{"paddlerec",
                "Epoch: 3, Batch: 100, LOSS: [4.2],  avg_batch_cost: 0.5 sec, avg_samples: 100.0, "
                "ips: 200.5 word/sec",
                a_step, 200.5, 0.5, 3, 100},
        Reading{"paddlerec", "Epoch: 3, using time 10.5 second, ips 800.25 word/sec.", an_epoch,
                800.25, 0, 3, -1},
        Reading{
            "mmcv",
            "2024-01-02 03:04:05,000 - mmdet - INFO - Epoch [2][50/300]\tlr: 0.1, eta: 1:00:00, "
            "time: 0.25, data_time: 0.125, memory: 100, loss: 2.5",
            a_step, 0, 0.25, 2, 50},
        Reading{
            "fairseq_transformer",
            "Wed Jun  1 10:54:50 2022[1,0]<stdout>:Transformer | epoch 1 | step 30 |avg loss nan "
            "|avg tokens 100.0 |tokens/s 900.5 |walltime 3.0 |",
            a_step, 900.5, 0, 1, 30},
        Reading{"mxnet", "INFO:root:Epoch[1] Batch [0-20]\tSpeed: 99.5 samples/sec", a_step, 99.5,
                0, 1, 20},
        Reading{"dll_resnet50_pytorch",
                "Wed Jun  1 10:54:50 2022[1,0]<stdout>:DLL 2022-06-01 10:54:50.484174 - Summary: "
                "train.loss : 6.5  train.compute_ips : 5.0 img/s train.total_ips : 4.5 img/s",
                summary, 4.5, 0, -1, -1},
        Reading{"dll_resnet50_tf",
                "DLL 2024-01-02 03:04:05.000000 - () train_throughput : 94.5 images/s", summary,
                94.5, 0, -1, -1},
        Reading{
            "dll_mxnet",
            "[1,0]<stdout>:DLL 2024-01-02 03:04:05.000000 - Epoch: 2  train.loss : 5.5  train.ips "
            ": 290.5 images/s",
            an_epoch, 290.5, 0, 2, -1},
        Reading{"dll_bert_pytorch",
                "DLL 2024-01-02 03:04:05.000000 -  e2e_train_time : 3513.5 s "
                "training_sequences_per_second : 639.25 sequences/s final_loss : 8.5 None",
                summary, 639.25, 0, -1, -1},
        Reading{
            "dllogger_json",
            R"(DLLL {"timestamp": "1.5", "type": "LOG", "step": [3], "data": {"val.ips": 9, "train.compute_ips": 8, "train.total_ips": 7.5}})",
            an_epoch, 7.5, 0, 3, -1},
        Reading{"tf_cnn_benchmarks", "total images/sec: 608.5", summary, 608.5, 0, -1, -1},
        Reading{"tf_estimator", "INFO:tensorflow:global_step/sec: 4", a_step, 0, 0.25, -1, -1},
        Reading{"dlbs", "__results.time__=250", summary, 0, 0.25, -1, -1}),
    numbered_cases);

TEST(Dialects, TheClosingTableOfMxnetHasARowForEachNumberOfGpus) {
  const LogContents contents = read_text(
      "train.ips\n           |    128    |\n------------------------\n     1     |   390.5   |\n"
      "     8     |   2957.8  |\n",
      "dll_mxnet");
  ASSERT_EQ(contents.records.size(), 2U);
  EXPECT_EQ(contents.records[0].row, 1);
  EXPECT_DOUBLE_EQ(contents.records[0].rate, 390.5);
  EXPECT_EQ(contents.records[1].row, 8);
  EXPECT_DOUBLE_EQ(contents.records[1].rate, 2957.8);
}

TEST(Dialects, TwoRecordsOnOneLineAreTwo) {
  const std::string sample = dialect_named("paddlenlp_bert").sample;
  std::string next = sample;
  next.replace(next.find("step: 20"), 8, "step: 30");
  EXPECT_EQ(read_text(sample + next + "\n", "paddlenlp_bert").found, 2U);
}

TEST(Dialects, AnUnknownOneGivesTheNearestAndTheWayToDescribeIt) {
  LineReader lines(std::make_unique<PiecewiseSource>(
      "training epoch 1 step 10 batch_cost 0.5 reader_cost 0.1 ips 100 loss 2 lr 0.1\n"));
  const std::string advice = unknown_dialect_advice(lines);
  EXPECT_NE(advice.find("paddle"), std::string::npos) << advice;
  EXPECT_NE(advice.find("--pattern"), std::string::npos);
  EXPECT_THROW(dialect_named("paddlecla"), UserError);
}

}  // namespace
}  // namespace trainmark
