#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "common/options.h"
#include "data/formats/data_set.h"
#include "data/pipeline/pipeline.h"
#include "input/picture_decoder.h"
#include "workload/batch.h"
#include "workload/contract.h"

namespace trainmark::train {

/// Batches of a data set for the steps of this rank, one for each accumulated pass.
class Feed {
 public:
  virtual ~Feed() = default;

  /// Until the batches of the next step are there. Throws UserError where an item cannot be read
  /// and none may be skipped.
  virtual void wait() = 0;

  /// Makes them `batches()`. Those of the step before are gone.
  virtual void fill() = 0;

  /// Always the same ones: what is in them changes. With fixed shapes, their tensors are always the
  /// same, too.
  const std::vector<Batch>& batches() const { return batches_; }

  /// Of the step that was filled for, in the workload's unit.
  std::int64_t items() const { return items_; }

  virtual const data::DataSet& data_set() const = 0;

  /// Of this rank; as many of every rank.
  virtual std::int64_t batches_per_epoch() const = 0;

  /// Of the next step's first batch.
  virtual data::Position position() const = 0;

  /// What the `start` event says of it, and at the end the `data` event.
  virtual nlohmann::json start() const = 0;
  virtual nlohmann::json end() const = 0;

 protected:
  std::vector<Batch> batches_;
  std::int64_t items_ = 0;
};

/// What a feed is made for.
struct FeedSetup {
  Options options;
  Contract contract;
  int rank = 0;
  int ranks = 1;
  at::ScalarType type = at::kFloat;  // of pictures
  /// What the device decodes pictures with, and why it has nothing (Accelerator). None on the CPU.
  std::function<std::unique_ptr<PictureDecoder>(std::string& why_not)> make_decoder = nullptr;
  /// Makes a batch of the contract's inputs (Workload::complete). None where nothing is trained.
  std::function<Batch(Batch)> complete = nullptr;
};

/// Opens the data set of the options, and begins to make batches. Throws UserError where it is none
/// that the workload can be trained with.
std::unique_ptr<Feed> make_feed(const FeedSetup& setup);

/// The formats of data sets that hold items of this kind (`data` of a contract).
std::vector<std::string> formats_of(const std::string& kind);

}  // namespace trainmark::train
