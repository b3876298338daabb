#pragma once

#include <atomic>
#include <memory>
#include <optional>
#include <string>

#include "data/pipeline/order.h"
#include "data/pipeline/preparation.h"

namespace trainmark::data {

/// Fills the slots of batches, each of them alone: what is in a slot depends on the position of its
/// batch, and not on who filled which slot before.
class SlotFiller {
 public:
  /// Throws UserError where the settings do not fit the data set.
  SlotFiller(std::shared_ptr<const DataSet> set, const PipelineSettings& settings);

  const Schedule& schedule() const { return *schedule_; }
  const Preparation& preparation() const { return *preparation_; }

  /// Sets the items of a batch whose position is known, and makes room for them.
  void lay_out(HostBatch& batch) const;

  /// Returns the name and the fault of the slot's own item where it could not be read: then the
  /// slot has the next one of the epoch's order that could. It is there twice in the epoch, so that
  /// nothing else moves. Gives up in between once `stop` is set.
  std::optional<std::string> fill(HostBatch& batch, std::int64_t slot, Workbench& bench,
                                  const std::atomic<bool>& stop) const;

 private:
  /// Nothing, or why it could not be read.
  std::optional<std::string> try_item(std::int64_t index, HostBatch& batch, std::int64_t slot,
                                      Workbench& bench) const;

  std::shared_ptr<const DataSet> set_;
  PipelineSettings settings_;
  std::unique_ptr<Schedule> schedule_;
  std::unique_ptr<Preparation> preparation_;
};

}  // namespace trainmark::data
