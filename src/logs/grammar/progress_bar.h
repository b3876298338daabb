#pragma once

#include <cstdint>
#include <string_view>

#include "logs/grammar/cursor.h"
#include "logs/grammar/record.h"

namespace trainmark {

/// One state of a progress bar of tqdm: ` 20%|##   | 10/50 [00:10<00:40, 1.0it/s, loss=2.5]`.
struct BarState {
  std::string_view title;  // what stands in front of the percentage, without spaces and colons
  std::int64_t done = 0;
  std::int64_t total = -1;  // -1 where it is not known
  double elapsed = 0;       // seconds since the bar began
  std::string_view unit;    // of what it counts: `it`, `img`, `examples`, `B`; empty: not said
  std::size_t begin = 0;    // in the line

  /// Bars of files count bytes, and others count images or tokens.
  bool counts_steps() const;
};

/// The next bar at or behind the cursor, which is moved behind its time. Bars of Ultralytics
/// (`640: 25% ━━── 10/40 4.2it/s 2.5s<7.1s`) and of rich (`━━━ 10/40 0:00:02 • 0:00:07 4.2it/s`)
/// are others, and read as well.
bool take_bar(Cursor& line, BarState& bar);

/// Bars show whole seconds, and the same state more than once: a record is made when the clock has
/// moved on, of all steps since the one before. The bar of a resumed run begins where the last one
/// was saved, or jumps there from 0; these are no steps.
class BarFollower {
 public:
  /// `pauses`: a count that stands still while the clock runs is a pause (validation), and no step.
  explicit BarFollower(bool pauses) : pauses_(pauses) {}

  bool take(std::int64_t epoch, const BarState& bar, Record& record);

  /// Where the bar has gone on in its epoch, but with something else: what it did counts neither as
  /// steps nor as time. False where it has not.
  bool skip(std::int64_t epoch, const BarState& bar);

 private:
  void begin(std::int64_t epoch, const BarState& bar);
  void go_to(const BarState& bar);

  bool pauses_;
  std::int64_t epoch_ = -2;
  std::int64_t total_ = -2;
  std::int64_t done_ = 0;    // at the last state
  std::int64_t told_ = 0;    // at the last record
  double elapsed_ = 0;       // at the last state that counts
  double told_elapsed_ = 0;  // at the last record
  std::int64_t untold_ = 0;  // steps of the bar before, in its last second
  int states_ = 0;           // different ones since the last record
  bool resumes_ = false;     // the next state with steps says where the bar begins
};

}  // namespace trainmark
