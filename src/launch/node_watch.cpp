#include "launch/node_watch.h"

#include <nlohmann/json.hpp>
#include <utility>

#include "environ/machine/environment.h"
#include "launch/node_report.h"

namespace trainmark {

namespace {

constexpr double watch_beat = 1.0;  // seconds between looks at the machine

}  // namespace

NodeWatch::NodeWatch(std::vector<int> cores, pid_t root_process, Send send)
    : send_(std::move(send)), conditions_(std::move(cores), root_process) {
  send_(environment_line(collect_environment()));
}

void NodeWatch::receive(std::string_view events) {
  if (!reader_) return;
  reader_->feed(events);
  if (reader_->steps().empty()) return;
  reader_.reset();  // from here on, reading along would only take time from the trainer
  conditions_.sample();
}

void NodeWatch::look(double now) {
  // What set-up does to the machine is not part of the figure, nor is what comes after the stop.
  if (reader_ || stopped_ || now - last_sample_ < watch_beat) return;
  last_sample_ = now;
  conditions_.sample();
}

void NodeWatch::note_stop() {
  if (stopped_ || reader_) return;
  stopped_ = true;
  conditions_.sample();
}

void NodeWatch::finish() {
  note_stop();
  send_(conditions_line(conditions_));
}

}  // namespace trainmark
