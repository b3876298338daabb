#pragma once

#include <sys/types.h>

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "environ/conditions/conditions.h"
#include "protocol/event_reader.h"

namespace trainmark {

/// What one agent of each node does beside its rank: it tells the bench what machine this is, and
/// watches it from the first step on, as the bench does where the ranks run beside it.
class NodeWatch {
 public:
  using Send = std::function<void(const std::string& line)>;

  /// Tells of the machine at once. `cores`: of all ranks of this node; `root_process`: what all of
  /// them descend from.
  NodeWatch(std::vector<int> cores, pid_t root_process, Send send);

  /// The trainer's events, as they come: they tell when the first step is done.
  void receive(std::string_view events);
  void look(double now);
  /// What counts is over: the trainer is asked to stop.
  void note_stop();
  /// The trainer has ended: tells what was seen.
  void finish();

 private:
  Send send_;
  ConditionsMonitor conditions_;
  std::unique_ptr<EventReader> reader_ = std::make_unique<EventReader>();  // until the first step
  double last_sample_ = -1e9;
  bool stopped_ = false;
};

}  // namespace trainmark
