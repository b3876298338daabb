#pragma once

#include <functional>
#include <memory>

#include "data/formats/data_set.h"
#include "input/feed.h"
#include "input/images.h"

namespace trainmark::train {

/// The items of an evaluation set, each of them once, as tensors on the device. Each rank has its
/// part of them; the last batch is smaller.
class EvaluationFeed {
 public:
  /// `training`: what is trained on. Throws UserError where there is nothing to evaluate with.
  EvaluationFeed(FeedSetup setup, const data::DataSet& training);

  /// Calls `use` with every batch of this rank. Batches are gone when it returns.
  void for_each_batch(const std::function<void(const Batch&)>& use) const;

  /// Items, of all ranks.
  std::int64_t samples() const { return set_->evaluation_size(); }

 private:
  FeedSetup setup_;
  at::Device device_;
  std::shared_ptr<const data::DataSet> set_;
  data::PipelineSettings settings_;
  Images images_;
};

}  // namespace trainmark::train
