#pragma once

#include <ATen/core/Tensor.h>

#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "common/options.h"
#include "distributed/gradient_reducer.h"
#include "engine/accelerator.h"
#include "engine/agreement.h"
#include "engine/loss_scale.h"
#include "engine/optimizer.h"
#include "engine/safetensors.h"
#include "input/feed.h"
#include "workload/workload.h"

namespace trainmark::train {

/// Does the steps of a workload: forward, backward, accumulation, optimizer. In the mode `graph`
/// the accelerator records one of them, after a few, and replays it from then on. In a job of
/// several ranks, each has its part of the job's batch, and they average their gradients.
class Trainer {
 public:
  // Algorithms are chosen and memory is allocated in the first ones.
  static constexpr std::int64_t steps_before_recording = 3;

  /// Without a `feed`, every step trains the same made-up batches. It must be filled before each
  /// step.
  Trainer(Workload& workload, const Options& resolved, Accelerator* accelerator = nullptr,
          const Feed* feed = nullptr);

  /// One optimizer step of every phase. The loss is the mean over the accumulated batches, summed
  /// over the phases; it is not read here, so that a device need not be waited for. In a job of
  /// several ranks it is the mean over all of them, and behind it comes the sum of what they are
  /// asked for (common/requests.h).
  at::Tensor step();

  /// Of the steps from here on.
  void set_learning_rate(double rate);

  /// All that the next step depends on but the batches and the random numbers, as it lies in
  /// memory, by name: weights, running statistics, what the optimizers remember, the loss scale.
  NamedTensors state();

  /// The fp32 weights behind the parameters that the model has in half precision, by name.
  NamedTensors master_weights();

  /// Called in every step that is not replayed, before each optimizer uses the gradients, with what
  /// the loss was multiplied by.
  std::function<void(double scale)> on_gradients;

 private:
  at::Tensor do_step();
  void run(std::size_t phase);
  void make_batches(Workload& workload);
  void make_optimizers();
  void make_scale();
  at::Tensor loss_of(const Phase& phase, std::size_t batch);

  /// Batches of a data set have other numbers of labels in every step. The ranks count them while
  /// the first forward pass goes on.
  void begin_shares();

  /// Of one rank's one batch: nobody waits for single gradients.
  void backward(const at::Tensor& loss);

  Options options_;
  Workload& workload_;
  std::shared_ptr<World> world_;
  Accelerator* accelerator_;
  std::vector<Phase> phases_;
  std::vector<std::unique_ptr<Optimizer>> optimizers_;
  std::vector<std::unique_ptr<GradientReducer>> reducers_;  // of each phase; none without a group
  std::vector<Batch> made_up_;                              // empty with a feed
  const std::vector<Batch>& batches_;                       // one for each accumulated pass
  // Of each batch in the loss of the job; 1 is as much as the others'.
  std::vector<double> shares_;  // of made-up batches
  at::Tensor step_shares_;      // of the step's own batches; undefined where they all count alike
  c10::intrusive_ptr<c10d::Work> labels_work_;
  at::Tensor labels_;      // of this rank
  at::Tensor all_labels_;  // of the job
  std::optional<LossScale> scale_;
  at::Tensor result_;  // of the step that is being done
  Agreement agreement_;
  std::int64_t steps_ = 0;
  std::unique_ptr<RecordedStep> recorded_;
};

}  // namespace trainmark::train
