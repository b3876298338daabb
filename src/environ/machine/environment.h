#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "environ/machine/machine.h"

namespace trainmark {

/// What machine is this: the inventory that goes beside every number, one key an area.
nlohmann::json collect_environment();
nlohmann::json collect_environment(const Machine& machine);

/// Sixteen hexadecimal digits that are the same for the same hardware, software and settings.
/// Values of the moment, names of single machines and Trainmark's own version are left out.
std::string environment_id(const nlohmann::json& environment);
nlohmann::json what_identifies(const nlohmann::json& environment);

/// The inventory without values of the moment: current clocks, free memory, processes on a GPU.
nlohmann::json without_moments(const nlohmann::json& environment);

/// Of an inventory, what tells this machine from others of the same kind; null where there is
/// nothing.
nlohmann::json environment_instance(const nlohmann::json& environment);

/// The inventory for people, as `trainmark env` shows it.
std::string environment_text(const nlohmann::json& environment);

}  // namespace trainmark
