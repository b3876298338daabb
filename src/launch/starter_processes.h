#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "launch/agent.h"
#include "launch/frames.h"
#include "launch/launcher.h"
#include "launch/local_processes.h"

namespace trainmark {

/// Ranks that are started by a program that is there on clusters already: mpirun or srun.
/// It starts an agent per rank (agent.h), wherever that is, and what the agents send comes home
/// through it; requests travel as signals that it passes on.
class StarterProcesses : public Processes {
 public:
  /// `command` of the starter, with the agent's own words at its end; `name` for messages; `here`:
  /// it starts all ranks itself, on this machine.
  StarterProcesses(std::vector<std::string> command, std::string name, Scale scale, bool here,
                   StreamSink sink);

  bool wait(double seconds) override;
  void request_stop() override { process_.command(KeeperCommand::stop); }
  // Only where all ranks run on this machine.
  void request_pause() override;
  void hold() override { process_.hold(); }
  bool is_held() const override { return process_.is_held(); }
  void go_on() override { process_.go_on(); }
  void interrupt() override { terminate(); }
  void terminate() override { process_.command(KeeperCommand::pass_on_end); }
  /// First the starter is asked to end its ranks on all hosts; the next time it is killed, and the
  /// agents end when they see that it is gone.
  void kill() override;
  const std::vector<RankOutcome>& outcomes() const override { return outcomes_; }
  const std::vector<RankPlace>& places() const override { return places_; }
  pid_t root() const override { return process_.root(); }
  bool is_here() const override { return here_; }
  std::vector<NodeReport> nodes() const override;

 private:
  void receive(Stream stream, std::string_view bytes);
  void take(const Frame& frame);
  void greet(std::size_t rank, const std::string& text);
  void note_end(std::size_t rank, const std::string& text);
  void note_words(std::string_view text);
  void settle();

  std::string name_;
  Scale scale_;
  bool here_;
  StreamSink sink_;
  FrameReader reader_;
  std::vector<RankOutcome> outcomes_;
  std::vector<RankPlace> places_;
  std::vector<bool> same_clock_;  // by rank: it runs on this machine's kernel
  std::vector<bool> heard_;       // by rank: its clock has been seen
  std::vector<pid_t> agents_;     // by rank, of those on this machine; 0 = not known
  std::map<std::size_t, std::string> node_lines_;  // by the first rank of each node
  std::string last_words_;                         // of the starter
  bool asked_to_end_ = false;
  LocalProcesses process_;  // after what its sink uses, so that it goes first
};

/// The whole command that starts `request` on these hosts through a starter. `here`: they are this
/// machine alone.
AgentRequest agent_request(const std::string& starter, const LaunchRequest& request,
                           const std::vector<std::string>& hosts, bool here);

/// The first hosts of a list, one per node of the scale. Throws UserError where there are too few,
/// or where one has too few slots; `where` says who named them.
std::vector<std::string> choose_hosts(const std::vector<Host>& hosts, Scale scale,
                                      const std::string& where);

}  // namespace trainmark
