#pragma once

#include <fmt/format.h>
#include <unistd.h>

#include <csignal>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "launch/launcher.h"

namespace trainmark {

/// What every rank of a made-up trainer does: a step each time it is waited for, until it is ended.
struct FakeTrainer {
  std::size_t most_steps = SIZE_MAX;  // ends by itself after these
  bool answers_stop = true, answers_terminate = true, answers_pause = true;
  double step_seconds = 1;
  std::optional<std::size_t> crashes_after = {};  // steps of rank `crashing_rank`
  std::size_t crashing_rank = 0;
  std::string says = {};               // before its first step, as an event
  std::string failure = {};            // tells it instead of training, and exits
  std::vector<NodeReport> nodes = {};  // it runs on other machines, which tell this
};

/// What the made-up trainers of a test were sent and started with.
struct FakeStage {
  double now = 1000;  // seconds; waiting makes it pass
  std::function<FakeTrainer(const LaunchRequest&)> trainer = [](const LaunchRequest&) {
    return FakeTrainer();
  };
  std::vector<LaunchRequest> started = {};
  std::vector<std::string> sent = {};
  bool has_machines = true;
  std::vector<std::size_t> worked = {};  // who did each step, by the order in which they started
};

/// Processes without a process: a script is played, and time passes only when it is waited for.
class FakeProcesses : public Processes {
 public:
  FakeProcesses(FakeStage& stage, const LaunchRequest& request, StreamSink sink)
      : stage_(stage),
        number_(stage.started.size() - 1),
        trainer_(stage.trainer(request)),
        sink_(std::move(sink)),
        outcomes_(static_cast<std::size_t>(request.scale.ranks())),
        places_(outcomes_.size()) {}

  bool wait(double seconds) override {
    stage_.now += seconds;
    bool alive = false;
    for (std::size_t rank = 0; rank < outcomes_.size(); ++rank) {
      if (!outcomes_[rank].ended) play(rank);
      alive = alive || !outcomes_[rank].ended;
    }
    if (!held_ && !pausing_) ++steps_;
    held_ = held_ || pausing_;
    return alive;
  }

  void request_stop() override {
    stage_.sent.emplace_back("stop");
    stopping_ = stopping_ || trainer_.answers_stop;
  }
  void request_pause() override {
    stage_.sent.emplace_back("pause");
    pausing_ = trainer_.answers_pause;
  }
  void hold() override {
    stage_.sent.emplace_back("hold");
    held_ = true;
  }
  bool is_held() const override { return held_; }
  void go_on() override { held_ = pausing_ = false; }
  void interrupt() override { stage_.sent.emplace_back("interrupt"); }
  void terminate() override {
    stage_.sent.emplace_back("terminate");
    if (trainer_.answers_terminate) signal_ = SIGTERM;
  }
  void kill() override {
    stage_.sent.emplace_back("kill");
    signal_ = SIGKILL;
  }

  const std::vector<RankOutcome>& outcomes() const override { return outcomes_; }
  const std::vector<RankPlace>& places() const override { return places_; }
  pid_t root() const override { return getpid(); }
  bool is_here() const override { return false; }  // this machine's load is no part of the test
  std::vector<NodeReport> nodes() const override { return trainer_.nodes; }

 private:
  void play(std::size_t rank) {
    if (signal_) {
      outcomes_[rank].signal = signal_;
    } else if (trainer_.crashes_after == steps_ && trainer_.crashing_rank == rank) {
      outcomes_[rank].signal = SIGSEGV;
    } else if (!trainer_.failure.empty()) {
      say(rank, fmt::format(R"({{"event":"failure","kind":"{}","message":"as the test wants"}})",
                            trainer_.failure));
      outcomes_[rank].code = 1;
    } else if (stopping_ || steps_ == trainer_.most_steps) {
      say(rank, fmt::format(R"({{"event":"end","steps":{},"why":"stop"}})", steps_));
      outcomes_[rank].code = 0;
    } else if (held_) {
      return;
    } else if (pausing_) {
      say(rank, R"({"event":"pause"})");
      return;
    } else {
      if (steps_ == 0 && !trainer_.says.empty()) say(rank, trainer_.says);
      say(rank, fmt::format(R"({{"event":"step","step":{},"end":{},"seconds":{},"items":8}})",
                            steps_, static_cast<double>(steps_ + 1) * trainer_.step_seconds,
                            trainer_.step_seconds));
      stage_.worked.push_back(number_);
      return;
    }
    outcomes_[rank].ended = true;
  }

  void say(std::size_t rank, const std::string& line) {
    sink_(static_cast<int>(rank), Stream::events, line + "\n");
  }

  FakeStage& stage_;
  std::size_t number_;
  FakeTrainer trainer_;
  StreamSink sink_;
  std::vector<RankOutcome> outcomes_;
  std::vector<RankPlace> places_;
  std::size_t steps_ = 0;
  bool stopping_ = false, pausing_ = false, held_ = false;
  std::optional<int> signal_;
};

class FakeLauncher : public Launcher {
 public:
  /// `stage` must outlive it.
  explicit FakeLauncher(FakeStage& stage) : stage_(stage) {}

  LaunchPlan plan(const LaunchRequest& request) const override {
    return {request.command, request.variables, {}};
  }
  std::unique_ptr<Processes> start(const LaunchRequest& request, StreamSink sink) const override {
    stage_.started.push_back(request);
    return std::make_unique<FakeProcesses>(stage_, request, std::move(sink));
  }
  bool can_hold(const LaunchRequest& request) const override { return request.hosts.empty(); }
  bool has_machines() const override { return stage_.has_machines; }

 private:
  FakeStage& stage_;
};

}  // namespace trainmark
