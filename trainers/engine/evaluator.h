#pragma once

#include "common/options.h"
#include "input/evaluation_feed.h"
#include "quality/quality.h"
#include "workload/workload.h"

namespace trainmark::train {

/// Finds out how good the model of a workload is.
class Evaluator {
 public:
  /// `training`: what is trained on. Throws UserError where there is nothing to evaluate with.
  Evaluator(Workload& workload, const FeedSetup& setup, const data::DataSet& training);

  /// Over the whole evaluation set; all ranks must call it. The model learns nothing from it.
  /// Running statistics of several ranks are averaged first: each has its own.
  Quality evaluate();

  std::int64_t samples() const { return feed_.samples(); }

 private:
  void average_statistics();

  Workload& workload_;
  std::shared_ptr<World> world_;
  EvaluationFeed feed_;
};

}  // namespace trainmark::train
