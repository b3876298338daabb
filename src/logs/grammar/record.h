#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>

#include "base/step.h"

namespace trainmark {

/// Whose work a printed figure counts.
enum class Scope { rank, node, job };

const char* text(Scope scope);

enum class RecordKind : std::uint8_t { step, epoch, summary, table };

const char* text(RecordKind kind);

constexpr double not_known = std::numeric_limits<double>::quiet_NaN();

/// Could it be a time, a rate or a number of items?
inline bool positive(double value) {
  return value >= 1 / largest_figure && value <= largest_figure;
}

/// One line of a log that says how fast the training was; NaN and -1 where it does not tell.
struct Record {
  RecordKind kind = RecordKind::step;
  bool has_loss = false;
  bool begins_run = false;  // the program said so; else a run begins where the steps begin again
  bool replaces = false;    // the record before it, which was not the last word on that place
  bool discards = false;    // the runs before it, which were none of a training
  bool per_item = false;    // one item stands for the batch, which is unknown: no time of a step
  bool of_device = false;   // its rate is one device's, whatever the dialect says
  int rank = -1;
  std::uint32_t run = 0;  // which of the file's runs it belongs to
  int row = 0;            // of a closing table: its number of GPUs
  std::int64_t epoch = -1;
  std::int64_t step = -1;
  double stamp = not_known;    // the line's own time, in seconds since 1970 of some time zone
  double arrival = not_known;  // when the line was read while it was printed, on a monotonic clock
  double rate = not_known;     // items per second, in the dialect's scope
  double seconds = not_known;  // of one step
  double items = not_known;    // of one step, in the dialect's scope
  double steps = not_known;    // that it tells of together; time and items are those of one
  double input = not_known;    // seconds of one step spent waiting for input
  double memory = not_known;   // bytes that a device needed at most
  double mfu = not_known;      // as printed, 1 for all of the device's arithmetic
  double loss = not_known;
  double value = not_known;  // the field that an author's rule asked for
  float weight = 1;          // how many records were merged into it
  std::uint32_t begin = 0;   // where it begins in its line
};

}  // namespace trainmark
