#pragma once

#include <memory>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "base/quality_task.h"
#include "base/step.h"
#include "bench/failure.h"
#include "bench/run.h"
#include "launch/launcher.h"
#include "measure/window.h"

namespace trainmark {

/// Where the steps of a run come from: the events of our own trainers, or the lines that any other
/// program prints.
class StepSource {
 public:
  virtual ~StepSource() = default;

  /// Whatever a rank wrote, as it comes.
  virtual void receive(std::size_t rank, Stream stream, std::string_view bytes) = 0;

  /// Where the ranks run, as far as it is known.
  virtual void place(const std::vector<RankPlace>&) {}

  /// No more will come. `whole`: nobody was killed in the middle of a line.
  virtual void finish(bool whole) = 0;

  /// Cheap, so that it can be asked all the time; never more than the size of `steps`. Falls where
  /// what a program prints turns out to mean something else.
  virtual std::size_t count() const = 0;

  /// Of the job as a whole.
  virtual std::vector<Step> steps() const = 0;

  /// Of a training to quality, once it has started.
  virtual const QualityTask* quality_task() const { return nullptr; }
  /// So far, those before a resume included. Cheap, too.
  virtual std::size_t evaluation_count() const { return 0; }
  /// Since it was last started, on the clock of `steps`.
  virtual std::vector<Evaluation> evaluations() const { return {}; }
  virtual std::vector<Checkpoint> checkpoints() const { return {}; }

  /// Whether it tells when it pauses, and how often it has done so; of several ranks, all of them.
  virtual bool can_pause() const { return false; }
  virtual std::size_t pauses() const { return 0; }

  /// It was held in a way it knows nothing of, at this moment on our clock: the step that was being
  /// done then does not count, nor does the time until its end.
  virtual void note_hold(double moment) = 0;

  /// It broke the rules and will not give a number.
  virtual bool is_broken() const = 0;

  /// Has a rank reported its end? One that ends silently has failed.
  virtual bool has_told_end(std::size_t) const { return true; }

  virtual Failure judge(const std::vector<RankOutcome>& outcomes, const Intervention& intervention,
                        double time_limit) const = 0;

  /// The moments, on our clock, between which the steps of a window were done.
  virtual std::optional<std::pair<double, double>> moments(Window window) const = 0;

  /// What it told of itself, and what speaks against its figures.
  virtual void describe(RunRecord& record, const std::vector<RankOutcome>& outcomes) const = 0;

  /// What is to be kept of the steps where the program told no events.
  virtual std::string events() const { return ""; }
};

std::unique_ptr<StepSource> event_source(std::size_t ranks);
std::unique_ptr<StepSource> printed_source(const PlannedCell& planned, const LiveOptions& options);

}  // namespace trainmark
