#pragma once

#include <optional>

#include "input/feed.h"
#include "input/images.h"
#include "input/source.h"

namespace trainmark::train {

/// For the CPU: a batch is trained where the pipeline has put it.
class HostFeed : public Feed {
 public:
  explicit HostFeed(FeedSetup setup);

  void wait() override;
  void fill() override;
  const data::DataSet& data_set() const override { return source_.data_set(); }
  std::int64_t batches_per_epoch() const override { return source_.batches_per_epoch(); }
  data::Position position() const override { return source_.position_after(last_); }
  nlohmann::json start() const override { return source_.start(); }
  nlohmann::json end() const override { return source_.end(last_); }

 private:
  FeedSetup setup_;
  Source source_;
  Images images_;
  std::vector<Batch> arrived_;
  std::int64_t arrived_items_ = 0;
  std::optional<data::Position> last_;
};

}  // namespace trainmark::train
