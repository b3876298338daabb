#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>

#include "base/signals.h"
#include "base/time.h"
#include "bench/measuring.h"
#include "bench/request.h"
#include "journal/record.h"
#include "logs/live_log.h"
#include "suite/plan.h"

namespace trainmark {

/// One run that is to be done.
struct RunTask {
  std::string id;
  PlannedCell planned;
  int round = 1;
  std::uint64_t seed = 0;
  RunRequest request;
  std::filesystem::path run_folder;         // exists and is empty
  std::filesystem::path folder;             // of the journal
  std::filesystem::path checkpoints = {};   // of a training to quality
  std::optional<LiveOptions> printed = {};  // measured from what it prints, and how that is read
};

/// What a run looks like from outside while it goes on.
struct RunView {
  double seconds = 0;  // since it was started
  std::size_t steps = 0;
  double rate = 0;        // items ÷ time over the window so far; 0 while warming up
  double half_width = 0;  // of its interval, relative
  // Of a training to quality.
  double epochs = 0;                       // of its schedule; 0: it is none
  std::optional<Evaluation> quality = {};  // the last evaluation
};

struct RunHooks {
  std::function<void(const RunView&)> progress;  // called a few times a second
  std::function<bool()> interrupted;
  std::function<double()> now = monotonic_seconds;
};

/// Makes the folder of a run that no other run has had. Throws SystemError, also where it is there
/// already: whatever it holds may be all that is left of a run.
void make_new_folder(const std::filesystem::path& folder);

/// Makes a folder whose content is of no more use. Throws SystemError.
void make_empty_folder(const std::filesystem::path& folder);

/// Does the run and measures it. Whatever the trainer does becomes part of the record; only the
/// bench's own troubles are thrown (SystemError, Interrupted).
RunRecord perform_run(const RunTask& task, const Measuring& measuring, const RunHooks& hooks);

}  // namespace trainmark
