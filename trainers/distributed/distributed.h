#pragma once

#include <ATen/core/Tensor.h>
#include <torch/csrc/distributed/c10d/ProcessGroup.hpp>

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "common/options.h"
#include "distributed/communication_meter.h"
#include "distributed/world.h"
#include "protocol/rank_position.h"

namespace trainmark::train {

/// The ranks of the job, and what they do together. All ranks must call the same functions in the
/// same order.
class World {
 public:
  /// What the ranks of a device other than the CPU talk through.
  using MakeBackend = std::function<c10::intrusive_ptr<c10d::Backend>(
      const c10::intrusive_ptr<c10d::Store>& store, int rank, int ranks,
      std::chrono::seconds timeout)>;

  World() = default;  // one rank, with nobody to talk to

  /// Meets the other ranks, if there are any or a group was asked for: through NCCL where
  /// `make_nccl` is given, otherwise through Gloo. Throws std::runtime_error where they do not
  /// come.
  void join(const RankPosition& place, const Parallel& parallel,
            const MakeBackend& make_nccl = nullptr);

  /// From here on, collectives are timed.
  void measure_with(std::unique_ptr<CommunicationMeter> meter) { meter_ = std::move(meter); }

  int rank() const { return place_.rank; }
  int size() const { return place_.ranks; }

  /// Is there anything to reduce? One rank alone has a group only where it was asked for.
  bool has_group() const { return group_ != nullptr; }
  const std::string& backend() const { return backend_; }  // "gloo" or "nccl"

  // Of all ranks, in place, and waited for (by the device's stream, where that is how it waits).
  void sum(at::Tensor tensor);
  void maximum(at::Tensor tensor);

  /// Begins the sum of each of these; wait() for it before they are used.
  c10::intrusive_ptr<c10d::Work> begin_sum(std::vector<at::Tensor> tensors);
  void wait(c10d::Work& work);

  /// The rows of all ranks, those of rank 0 first. Each has the same number of them.
  at::Tensor gather_rows(const at::Tensor& rows);

  /// The other way round: this rank's part of the rows, summed over all ranks.
  at::Tensor scatter_sum(const at::Tensor& rows);

  /// From rank 0 to all.
  void broadcast(const std::vector<at::Tensor>& tensors);

  /// Returns when all ranks are here.
  void meet();

  /// Ends the group's threads, when all is done: NCCL's look after the device until then, and must
  /// not meet a driver that shuts down. Nothing recorded may be left that holds a collective.
  void close();

  /// Null where nothing is measured.
  CommunicationMeter* meter() { return meter_ ? meter_.get() : nullptr; }

 private:
  void reduce(at::Tensor& tensor, c10d::ReduceOp::RedOpType operation);

  using Collective = std::function<c10::intrusive_ptr<c10d::Work>()>;
  c10::intrusive_ptr<c10d::Work> begin(const Collective& collective);
  void do_now(const Collective& collective);

  RankPosition place_;
  std::string backend_;
  c10::intrusive_ptr<c10d::ProcessGroup> group_;
  std::unique_ptr<CommunicationMeter> meter_;
};

}  // namespace trainmark::train
