// What logs say of the model: quality, targets and the time to reach them.

#include "logs/quality.h"

#include <gtest/gtest.h>

#include "made_up_logs.h"

namespace trainmark {
namespace {

Quality quality_in(const std::string& text, const char* dialect) {
  return read_text(text, dialect).runs.back().quality;
}

TEST(LoggedQuality, OfAiRank) {
  const Quality quality = quality_in(
      "- AI-Rank-log 1700000000.424 test_begin\n"
      "- AI-Rank-log 1700000002.424 eval_accuracy:0.5, total_epoch_cnt:2\n"
      "- AI-Rank-log 1700000008.454 eval_accuracy:0.7605, total_epoch_cnt:10\n"
      "- AI-Rank-log 1700000008.454 target_quality_time:8.03sec\n"
      "- AI-Rank-log 1700000012.454 test_finish\n"
      "- AI-Rank-log 1700000012.454 total_use_time:12.03sec\n"
      "- AI-Rank-log 1700000012.455 avg_ips:1190images/sec\n",
      "ai_rank");
  EXPECT_DOUBLE_EQ(quality.at("eval_accuracy"), 0.7605);
  EXPECT_DOUBLE_EQ(quality.at("time_to_target"), 8.03);
  EXPECT_DOUBLE_EQ(quality.at("time_to_train"), 12.03);
}

TEST(LoggedQuality, OfPaddleSeg) {
  const Quality quality = quality_in(
      seg_line(20, 16, 0.5) +
          "\n2024-01-02 03:04:05 [INFO]\t[EVAL] #Images: 500 mIoU: 0.7850 Acc: 0.9600 Kappa: 0.95\n"
          "2024-01-02 03:04:05 [INFO]\t[EVAL] The model with the best validation mIoU (0.7912) was "
          "saved at iter 80000.\n",
      "paddleseg");
  EXPECT_DOUBLE_EQ(quality.at("mIoU"), 0.785);
  EXPECT_DOUBLE_EQ(quality.at("accuracy"), 0.96);
  EXPECT_DOUBLE_EQ(quality.at("best_mIoU"), 0.7912);
}

TEST(LoggedQuality, OfMmcv) {
  const Quality quality = quality_in(
      "2024-01-02 03:04:05,678 - mmseg - INFO - Iter [20/400]\tlr: 1.000e-02, eta: 0:03:10, time: "
      "0.500, data_time: 0.010, memory: 10000, loss: 3.0\n"
      "2024-01-02 03:04:05,678 - mmseg - INFO - Iter(val) [500]\taAcc: 0.9611, mIoU: 0.7850, mAcc: "
      "0.8521\n"
      "2024-01-02 03:04:05,678 - mmseg - INFO - Best mIoU is 0.7911 at 80000 iter.\n",
      "mmcv");
  EXPECT_DOUBLE_EQ(quality.at("aAcc"), 0.9611);
  EXPECT_DOUBLE_EQ(quality.at("mIoU"), 0.785);
  EXPECT_DOUBLE_EQ(quality.at("mAcc"), 0.8521);
  EXPECT_DOUBLE_EQ(quality.at("best_mIoU"), 0.7911);
}

/// One event of MLPerf's, so many seconds after the first.
std::string event(double seconds, const std::string& key, const std::string& value,
                  const std::string& metadata = "") {
  return fmt::format(
      ":::MLLOG {{\"namespace\": \"\", \"time_ms\": {:.0f}, \"event_type\": \"POINT_IN_TIME\", "
      "\"key\": \"{}\", \"value\": {}, \"metadata\": {{{}}}}}\n",
      1.7e12 + 1e3 * seconds, key, value, metadata);
}

std::string mlperf_log(const std::string& target, const std::string& direction) {
  return event(0, "train_samples", "1000") + event(0, "target_accuracy", target, direction) +
         event(1, "run_start", "null") + event(1, "epoch_start", "null") +
         event(11, "epoch_stop", "null") + event(12, "eval_accuracy", "0.5") +
         event(12, "epoch_start", "null") + event(22, "epoch_stop", "null") +
         event(23.5, "eval_accuracy", "0.76") + event(24, "eval_accuracy", "0.77") +
         event(25, "run_stop", "null", "\"status\": \"success\"");
}

TEST(LoggedQuality, OfMlperf) {
  const Quality quality = quality_in(mlperf_log("0.759", ""), "mlperf");
  EXPECT_DOUBLE_EQ(quality.at("target"), 0.759);
  EXPECT_DOUBLE_EQ(quality.at("eval_accuracy"), 0.77);
  EXPECT_DOUBLE_EQ(quality.at("time_to_target"), 22.5);
  EXPECT_DOUBLE_EQ(quality.at("time_to_train"), 24);
}

TEST(LoggedQuality, OfMlperfKnowsAMissAndWhereLowerIsBetter) {
  EXPECT_FALSE(quality_in(mlperf_log("0.8", ""), "mlperf").contains("time_to_target"));
  EXPECT_DOUBLE_EQ(
      quality_in(mlperf_log("0.5", "\"better\": \"lower\""), "mlperf").at("time_to_target"), 11);
}

TEST(LoggedQuality, OfYolo) {
  const Quality quality = quality_in(
      "train: weights=yolo.pt, cfg=, data=data.yaml, epochs=300, batch_size=16, imgsz=640\n"
      "      0/299      4.5G     0.1213    0.03328    0.01250        120        640:   4%|4        "
      " "
      "| 20/500 [00:10<04:00,  2.00it/s]\n"
      "                   all        306      10187      0.909      0.892      0.945      0.507\n"
      "3 epochs completed in 0.500 hours.\n",
      "yolo");
  EXPECT_DOUBLE_EQ(quality.at("mAP50"), 0.945);
  EXPECT_DOUBLE_EQ(quality.at("mAP50-95"), 0.507);
  EXPECT_DOUBLE_EQ(quality.at("time_to_train"), 1800);
}

TEST(LoggedQuality, OfDetectron2) {
  const std::string mark = "[01/02 03:04:05] d2.evaluation.testing INFO: copypaste: ";
  const Quality quality = quality_in(
      "  IMS_PER_BATCH: 16\n[01/02 03:04:05] d2.utils.events INFO:  eta: 0:05:00  iter: 19  "
      "total_loss: 2.5  loss_cls: 1.5  time: 0.5000  data_time: 0.0100  lr: 0.01  max_mem: "
      "8000M\n" +
          mark + "Task: bbox\n" + mark + "AP,AP50,APs\n" + mark + "37.5,58.25,nan\n" + mark +
          "Task: segm\n" + mark + "AP,AP50,APs\n" + mark + "34.5,55,1\n",
      "detectron2");
  EXPECT_DOUBLE_EQ(quality.at("bbox/AP"), 37.5);
  EXPECT_DOUBLE_EQ(quality.at("bbox/AP50"), 58.25);
  EXPECT_DOUBLE_EQ(quality.at("segm/AP"), 34.5);
}

TEST(LoggedQuality, OfNvidiasTrainers) {
  const Quality bert = quality_in(
      "DLL 2024-01-02 03:04:05.678901 - Training Epoch: 0 Training Iteration: 5  average_loss : "
      "10.25 "
      " learning_rate : 0.004  skipped_steps : 0 \n"
      "DLL 2024-01-02 04:04:05.678901 -  e2e_train_time : 3513.5 s training_sequences_per_second : "
      "639.16 sequences/s final_loss : 8.5 None raw_train_time : 3488.7 s\n",
      "dll_bert_pytorch");
  EXPECT_DOUBLE_EQ(bert.at("time_to_train"), 3513.5);
  EXPECT_DOUBLE_EQ(bert.at("final_loss"), 8.5);
  const Quality transformer = quality_in(
      "Transformer | epoch 0 | step 20 |avg loss 12.345 |avg tokens 4800.000 |tokens/s 9600.000 "
      "|walltime 20.000 |\n| epoch 001 | valid on 'valid' subset | valid_loss 4.25 | "
      "valid_nll_loss "
      "2.5 | valid_ppl 5.65\n| done training in 3421.5 seconds\n",
      "fairseq_transformer");
  EXPECT_DOUBLE_EQ(transformer.at("valid_ppl"), 5.65);
  EXPECT_DOUBLE_EQ(transformer.at("time_to_train"), 3421.5);
}

TEST(LoggedQuality, OfOurOwnTrainers) {
  const Quality quality = quality_in(
      R"({"event":"start","quality":{"metric":"accuracy","better":"higher","target":0.9,"epochs":6}})"
      "\n"
      R"({"event":"step","step":20,"end":10.5,"seconds":0.5,"items":8,"loss":6.9})"
      "\n"
      R"({"event":"evaluation","step":21,"samples":168,"epoch":0.5,"end":12,"seconds":1.5,"quality":0.75,"loss":0.8})"
      "\n",
      "trainmark");
  EXPECT_DOUBLE_EQ(quality.at("target"), 0.9);
  EXPECT_DOUBLE_EQ(quality.at("quality"), 0.75);
  EXPECT_DOUBLE_EQ(quality.at("samples"), 168);
}

}  // namespace
}  // namespace trainmark
