#pragma once

#include <memory>
#include <string>

#include "bench/run.h"

namespace trainmark {

/// Where a suite stands.
struct SuiteView {
  std::size_t done = 0;  // runs, those of earlier sessions included
  std::size_t total = 0;
  double seconds_left = -1;  // below 0 where nothing is known yet
};

/// Tells people how the work goes: a live line on a terminal, plain lines elsewhere. Lines that
/// cannot be written are left out, and the work goes on.
class Progress {
 public:
  virtual ~Progress() = default;
  virtual void say(const std::string& line) = 0;
  virtual void started(const RunTask& task, const SuiteView& suite) = 0;
  virtual void running(const RunTask& task, const RunView& run, const SuiteView& suite) = 0;
  virtual void finished(const RunRecord& record, const SuiteView& suite) = 0;
};

/// Writes to stderr; `live` where that is a terminal.
std::unique_ptr<Progress> make_progress(bool live);
std::unique_ptr<Progress> silent_progress();

}  // namespace trainmark
