#pragma once

#include <memory>
#include <nlohmann/json.hpp>
#include <optional>

#include "engine/checkpoint_folder.h"
#include "engine/course.h"
#include "engine/evaluator.h"
#include "engine/steps.h"
#include "engine/trainer.h"

namespace trainmark::train {

/// The folder of checkpoints that the options name; null where they name none.
std::unique_ptr<CheckpointFolder> open_checkpoints(const Options& options, const Contract& contract,
                                                   const std::shared_ptr<World>& world);

/// What a training to quality is made of.
struct QualityParts {
  Workload& workload;
  const Feed& feed;
  FeedSetup feed_setup;
  CheckpointFolder* checkpoints = nullptr;  // null: none are written
  std::optional<TrainingProgress> resumed;  // where it goes on from
};

/// A training to quality: the learning rate of its steps, and the evaluations and checkpoints
/// between them.
class QualityRun {
 public:
  explicit QualityRun(QualityParts parts);

  /// `quality` of the start event.
  nlohmann::json start() const;

  /// Has the steps of a loop done by its course. The loop ends with the training, or earlier where
  /// it would. A resumed training goes on with all that was saved.
  void conduct(StepLoop& loop, Trainer& trainer);

 private:
  void between_steps(EventWriter& events, Trainer& trainer);
  void evaluate(EventWriter& events, std::int64_t samples);
  void save(EventWriter& events, Trainer& trainer);
  void load(Trainer& trainer);
  std::int64_t samples_of_job() const;
  double training_seconds(std::int64_t now_ns) const;
  bool is_own(const std::string& name) const;

  QualityParts parts_;
  const Options& options_;
  const Recipe& recipe_;
  World& world_;
  Evaluator evaluator_;
  Course course_;
  TrainingProgress progress_;   // of the whole training
  std::int64_t last_step_ = 0;  // that this process does
  std::int64_t own_items_ = 0;  // trained by this rank, since this process began
  std::int64_t samples_before_ = 0;
  double seconds_before_ = 0;
  std::int64_t begin_ns_ = 0;
  std::int64_t idle_ns_ = 0;  // evaluations and pauses since then
};

}  // namespace trainmark::train
