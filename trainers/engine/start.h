#pragma once

#include <nlohmann/json_fwd.hpp>

#include "common/options.h"
#include "engine/accelerator.h"
#include "protocol/description.h"
#include "workload/workload.h"

namespace trainmark::train {

/// What the `start` event says of a cell and its place in the job.
nlohmann::json start_of_cell(const Options& options, const Description& description,
                             const World& world, Accelerator* accelerator);

/// Adds what it says of the model and of the device's speed.
void add_model(nlohmann::json& start, const Options& options, Workload& workload,
               Accelerator* accelerator);

}  // namespace trainmark::train
