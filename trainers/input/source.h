#pragma once

#include <memory>
#include <nlohmann/json.hpp>
#include <optional>

#include "data/formats/data_set.h"
#include "data/pipeline/pipeline.h"
#include "input/feed.h"

namespace trainmark::train {

/// What feeds have in common: the data set, its pipeline, and what is reported of them.
class Source {
 public:
  explicit Source(const FeedSetup& setup);

  /// As the pipeline's; one thread takes them.
  const data::HostBatch& next() { return pipeline_->next(); }

  const data::PipelineSettings& settings() const { return settings_; }

  /// Of pictures that the pipeline leaves to the device; null where it decodes all.
  PictureDecoder* decoder() { return decoder_.get(); }

  const data::DataSet& data_set() const { return *set_; }
  std::int64_t batches_per_epoch() const { return pipeline_->batches_per_epoch(); }

  nlohmann::json start() const;

  // `last`: of the batches that were trained; none yet where it is missing.
  data::Position position_after(const std::optional<data::Position>& last) const;
  nlohmann::json end(const std::optional<data::Position>& last) const;

 private:
  void choose_decoder(const FeedSetup& setup);

  std::shared_ptr<const data::DataSet> set_;
  data::PipelineSettings settings_;
  std::unique_ptr<PictureDecoder> decoder_;
  std::string decoder_name_;  // as the start event says it; empty where nothing is decoded
  std::unique_ptr<data::Pipeline> pipeline_;
};

}  // namespace trainmark::train
