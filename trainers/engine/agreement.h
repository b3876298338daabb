#pragma once

#include <ATen/core/Tensor.h>

#include <memory>
#include <torch/csrc/distributed/c10d/Work.hpp>

#include "distributed/distributed.h"

namespace trainmark::train {

/// What the ranks of a job tell each other in every step: their losses, and what they are asked for
/// (common/requests.h). A rank alone has nobody to tell.
class Agreement {
 public:
  Agreement(std::shared_ptr<World> world, bool on_device);

  /// Before each step, also one that is replayed.
  void note_requests();

  /// Begins to collect. The result is the mean loss of all ranks and the sum of their requests; of
  /// a rank alone, its loss.
  at::Tensor begin(const at::Tensor& loss);

  /// Until the result of `begin` is there.
  void wait();

 private:
  std::shared_ptr<World> world_;
  /// What this rank is asked for; only with a group. It stays on the host, where a recorded step
  /// reads it again every time.
  at::Tensor requests_;
  c10::intrusive_ptr<c10d::Work> work_;
};

}  // namespace trainmark::train
