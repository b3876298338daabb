#include "input/evaluation_feed.h"

#include "input/settings.h"
#include "input/tensors.h"

namespace trainmark::train {
namespace {

data::PipelineSettings evaluation_settings(const FeedSetup& setup) {
  data::PipelineSettings settings = pipeline_settings(setup);
  settings.evaluation = true;
  settings.start = {};
  return settings;
}

}  // namespace

EvaluationFeed::EvaluationFeed(FeedSetup setup, const data::DataSet& training)
    : setup_(std::move(setup)),
      device_(setup_.options.device),
      set_(data::open_evaluation_set(training, setup_.options.data.path,
                                     setup_.options.quality.evaluation_data)),
      settings_(evaluation_settings(setup_)),
      images_(settings_.normalization, setup_.type, device_) {
  // What does not fit the workload is refused here, before anything is trained.
  data::PipelineSettings tried = settings_;
  tried.workers = 1;
  tried.prefetch = 0;
  const data::Pipeline pipeline(set_, tried);
}

void EvaluationFeed::for_each_batch(const std::function<void(const Batch&)>& use) const {
  // One for each evaluation: it makes nothing ahead while steps are timed.
  data::Pipeline pipeline(set_, settings_);
  const bool fixed = has_fixed_shapes(setup_.options);
  for (std::int64_t i = 0; i < pipeline.batches_per_epoch(); ++i) {
    Batch batch = host_tensors(pipeline.next(), settings_, fixed);
    for (auto& [name, tensor] : batch) {
      tensor = tensor.to(device_);
      if (is_pictures(tensor)) tensor = images_.make(tensor);
    }
    use(setup_.complete ? setup_.complete(std::move(batch)) : batch);
  }
}

}  // namespace trainmark::train
