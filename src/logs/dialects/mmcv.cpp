#include "logs/grammar/dialect.h"

// MMCV's runners: mmsegmentation, mmdetection, … by iteration or by epoch. No rate is printed: the
// batch size and the time of a step give it.

namespace trainmark {

namespace {

bool read(Cursor& line, Record& record) {
  if (begin_record(line, record, "Iter [")) {
    if (!line.whole(record.step)) return false;
  } else if (begin_record(line, record, "Epoch [")) {
    if (!line.whole(record.epoch) || !line.skip_to("][") || !line.whole(record.step)) return false;
  } else {
    return false;
  }
  if (!line.skip_to(" time: ") || !line.number(record.seconds)) return false;
  take_loss(line, record, " loss: ");
  return true;
}

const Registration<Dialect> registered(
    "mmcv", {.summary = "MMCV: mmsegmentation, mmdetection and their like",
             .sample = "2024-01-02 03:04:05,678 - mmseg - INFO - Iter [20/400]\tlr: 1.000e-02, "
                       "eta: 0:03:10, time: 0.500, data_time: 0.010, memory: 10000, "
                       "decode.loss_ce: 2.0, loss: 3.0",
             .scope = Scope::job,
             .unit = "samples/s",
             .field = "time",
             .decoys = {"Iter(val)", "Epoch(val)"},
             .quality = {{"mIoU", "mIoU: "},
                         {"mAcc", "mAcc: "},
                         {"aAcc", "aAcc: "},
                         {"bbox_mAP", "bbox_mAP: "},
                         {"top1", "accuracy_top-1: "},
                         {"top1", "accuracy/top1: "},
                         {"best_mIoU", "Best mIoU is "}},
             .input_field = "data_time",
             .reader = stateless(read)});

}  // namespace

}  // namespace trainmark
