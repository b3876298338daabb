#pragma once

#include <memory>
#include <string>
#include <vector>

#include "common/events.h"
#include "common/options.h"
#include "distributed/world.h"
#include "protocol/description.h"

namespace trainmark::train {

/// Where weights come from and where things go beside the events; empty: nowhere. Of several ranks,
/// the first writes; a path with `{rank}` in it is one for each.
struct Files {
  std::string load_weights;
  std::string save_weights;    // as they are before the first step
  std::string save_gradients;  // of the first step, before the optimizer
  std::string save_trained;    // the weights after the last step
  std::string profile;         // a trace of a few more steps, when all is done
  std::string save_losses;     // a JSON array, one loss a step, when all is done
};

/// Trains one cell from set-up to the `end` event, in a world that is joined here. Returns the loss
/// of every step. Throws OutOfMemory where the host or the device has no more.
std::vector<float> train(const Options& resolved, const Description& description,
                         const Files& files, const std::shared_ptr<World>& world,
                         EventWriter& events);

}  // namespace trainmark::train
