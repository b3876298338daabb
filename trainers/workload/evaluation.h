#pragma once

#include <functional>
#include <memory>
#include <utility>

#include "distributed/distributed.h"
#include "quality/quality.h"
#include "workload/batch.h"

namespace trainmark::train {

/// One walk over an evaluation set.
class Evaluation {
 public:
  virtual ~Evaluation() = default;

  /// Does the forward pass and notes what the metric needs. The model is in evaluation mode, and
  /// nothing is differentiated. Ranks have different numbers of batches: they do not talk here.
  virtual void add(const Batch& batch) = 0;

  /// Of all ranks.
  virtual Quality result(World& world) = 0;
};

/// One by a metric of quality/, to which `add` gives what the model makes of a batch.
template <class Metric>
class MetricEvaluation : public Evaluation {
 public:
  using Add = std::function<void(Metric& metric, const Batch& batch)>;

  MetricEvaluation(Metric metric, Add add) : metric_(std::move(metric)), add_(std::move(add)) {}

  void add(const Batch& batch) override { add_(metric_, batch); }
  Quality result(World& world) override { return metric_.result(world); }

 private:
  Metric metric_;
  Add add_;
};

template <class Metric>
std::unique_ptr<Evaluation> evaluate_by(Metric metric, typename MetricEvaluation<Metric>::Add add) {
  return std::make_unique<MetricEvaluation<Metric>>(std::move(metric), std::move(add));
}

}  // namespace trainmark::train
