#pragma once

#include <sys/types.h>

#include <map>
#include <optional>
#include <set>
#include <string_view>
#include <vector>

#include "environ/conditions/pace.h"
#include "environ/system/system_files.h"

namespace trainmark {

/// The fields of /proc/PID/stat that we need; times in clock ticks.
struct ProcessStat {
  pid_t parent = 0;
  long long own = 0;     // time of its own, all threads
  long long reaped = 0;  // time of its children that ended and were waited for, and of theirs
  long long start = 0;   // tells a process from a later one of the same number

  long long total() const { return own + reaped; }
};

/// Nothing where the text is damaged. A program may have any name, ") R 1 (" included.
std::optional<ProcessStat> parse_process_stat(std::string_view text);

/// CPU time of some processes and all their descendants.
///
/// A child's time is its own until its parent has waited for it, then it is in the parent's: the
/// sum over the living counts each tick once. Time that no parent collected (orphans, children of
/// one who ignores them) is kept as last seen.
class ProcessTimes {
 public:
  ProcessTimes(SystemFiles files, std::vector<pid_t> roots);

  void sample();
  /// Ticks since the first sample.
  long long ticks() const { return last_ - first_; }
  bool contains(pid_t process) const { return living_.count(process) != 0; }

 private:
  void find_descendants();
  void settle_ended(const std::map<pid_t, ProcessStat>& before);
  std::optional<ProcessStat> read(pid_t process) const;

  SystemFiles files_;
  std::vector<pid_t> roots_;
  Pace pace_;
  std::map<pid_t, ProcessStat> living_;
  std::set<pid_t> strangers_;  // seen before and not ours: not worth another look
  long long lost_ = 0;         // ticks of those that ended and that nobody collected
  long long first_ = 0, last_ = 0;
  bool begun_ = false;
};

}  // namespace trainmark
