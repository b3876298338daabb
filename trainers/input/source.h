#pragma once

#include <memory>
#include <nlohmann/json.hpp>
#include <optional>

#include "data/formats/data_set.h"
#include "data/pipeline/pipeline.h"
#include "input/feed.h"

namespace trainmark::train {

/// What feeds have in common: the data set, its pipeline, and what is told of them.
class Source {
 public:
  explicit Source(const FeedSetup& setup);

  /// As the pipeline's; one thread takes them.
  const data::HostBatch& next() { return pipeline_->next(); }

  const data::PipelineSettings& settings() const { return settings_; }

  nlohmann::json start() const;

  /// `last`: of the batches that were trained; none yet where it is missing.
  nlohmann::json end(const std::optional<data::Position>& last) const;

 private:
  std::shared_ptr<const data::DataSet> set_;
  data::PipelineSettings settings_;
  std::unique_ptr<data::Pipeline> pipeline_;
};

}  // namespace trainmark::train
