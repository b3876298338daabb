#pragma once

#include <memory>
#include <vector>

#include "launch/keeper.h"
#include "launch/pipe.h"
#include "launch/processes.h"

namespace trainmark {

/// Processes of this machine, under a keeper. `processes` come without descriptors; each gets pipes
/// of its own.
class LocalProcesses : public Processes {
 public:
  LocalProcesses(std::vector<ProcessSpec> processes, StreamSink sink);
  ~LocalProcesses() override;

  bool wait(double seconds) override;
  void request_stop() override { command(KeeperCommand::stop); }
  void request_pause() override { command(KeeperCommand::pause); }
  void hold() override { command(KeeperCommand::hold); }
  bool is_held() const override { return held_; }
  void go_on() override { command(KeeperCommand::go_on); }
  void interrupt() override { command(KeeperCommand::interrupt); }
  void terminate() override { command(KeeperCommand::terminate); }
  void kill() override { command(KeeperCommand::kill); }
  const std::vector<RankOutcome>& outcomes() const override { return outcomes_; }
  const std::vector<RankPlace>& places() const override { return places_; }
  pid_t root() const override { return keeper_; }

  /// For requests that only some of them need.
  void command(KeeperCommand command);

 private:
  struct Input {
    int rank;
    Stream stream;
    Descriptor descriptor;
  };

  void read_reports();
  void note_lost_ranks();
  bool drain();

  StreamSink sink_;
  std::vector<Input> inputs_;
  Descriptor control_;
  Descriptor reports_;
  std::vector<RankOutcome> outcomes_;
  std::vector<RankPlace> places_;
  pid_t keeper_ = -1;
  bool keeper_gone_ = false;
  bool held_ = false;     // as the keeper says of our last command
  bool crowded_ = false;  // a pipe was half full
};

/// What a command prints to its standard output; what has no answer in time is given up.
std::string output_of(std::vector<std::string> command);

}  // namespace trainmark
