#pragma once

#include <optional>
#include <span>
#include <vector>

#include "base/step.h"
#include "logs/contents.h"
#include "measure/window.h"

namespace trainmark {

/// How printed figures become those of the whole job.
struct PrintedScale {
  double factor = 1;         // from the dialect's scope to the job
  double items = not_known;  // of one step, in the dialect's scope
};

/// The records of one run as steps of the whole job. A step here is what one record tells of: where
/// a program prints every 20 iterations, it is these 20.
struct PrintedSteps {
  std::vector<Step> steps;         // `end` counts printed seconds, and is no moment of any clock
  std::vector<double> arrivals;    // when each record came; one more in front, that of the record
                                   // before the first
  std::vector<double> iterations;  // that each stands for; 1 where its record does not say
  bool numbered = false;           // records say which iteration they are
  bool counted = false;            // and how many items that is: their times can be added up
};

/// Times and items are those that the lines print:
/// - interval rates and times count for the iterations since the record before;
/// - running means are taken apart: n × mean - m × mean before is the time of what lies between;
/// - where only a rate is printed, records count for as many items as each other;
/// - time stamps of the lines are used only where they print neither rate nor time.
/// Arrival times of lines never become times of steps.
///
/// A program's first record holds its start, and is none.
PrintedSteps printed_steps(std::span<const Record> records, const Dialect& dialect,
                           const PrintedScale& scale);

/// Wall-clock time of a window.
struct ClockWindow {
  double items = 0;
  double seconds = 0;
  double throughput() const { return items / seconds; }
};

/// By arrival times; nothing where the number of items is unknown.
/// `items`: of one iteration of the whole job, for lines that do not tell; may be unknown.
std::optional<ClockWindow> clock_window(const PrintedSteps& printed, Window window,
                                        double items = not_known);

}  // namespace trainmark
