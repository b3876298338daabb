#pragma once

#include <optional>
#include <string>

#include "suite/plan.h"

namespace trainmark {

/// Why a cell cannot be measured here; nothing where it can.
using Obstacle = std::optional<std::string>;

/// Fills in what the suite left to the trainer, or to the log of a command.
Obstacle settle(PlannedCell& planned, const Suite& suite, const Catalog& catalog);

}  // namespace trainmark
