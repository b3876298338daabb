#pragma once

#include <ATen/core/Tensor.h>

#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "common/options.h"
#include "engine/accelerator.h"
#include "engine/loss_scale.h"
#include "engine/optimizer.h"
#include "engine/workload.h"

namespace trainmark::train {

/// Does the steps of a workload: forward, backward, accumulation, optimizer. In the mode `graph`
/// the accelerator records one of them, after a few, and replays it from then on.
class Trainer {
 public:
  Trainer(Workload& workload, const Options& resolved, Accelerator* accelerator = nullptr);

  /// One optimizer step of every phase. The loss is the mean over the accumulated batches, summed
  /// over the phases; it is not read here, so that a device need not be waited for.
  at::Tensor step();

  std::int64_t items_per_step() const;

  /// Called in every step that is not replayed, before each optimizer uses the gradients.
  std::function<void()> on_gradients;

 private:
  at::Tensor do_step();
  at::Tensor run(const Phase& phase, Optimizer& optimizer);

  Options options_;
  Accelerator* accelerator_;
  std::vector<Phase> phases_;
  std::vector<std::unique_ptr<Optimizer>> optimizers_;
  std::vector<Batch> batches_;  // one for each accumulated pass, the same in every step
  std::optional<LossScale> scale_;
  std::int64_t steps_ = 0;
  std::unique_ptr<RecordedStep> recorded_;
};

}  // namespace trainmark::train
