#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>

#include "base/verdict.h"
#include "environ/conditions/conditions.h"

namespace trainmark {

/// What a node of a job tells of itself: the machine when the run begins, and what it did meanwhile
/// when the run has ended.
struct NodeReport {
  std::string host;
  nlohmann::json environment;              // null: it was not told
  nlohmann::json conditions;               // likewise, as of a node that was cut off
  Verdicts verdicts;                       // from its conditions
  GpuPowers power;                         // of its GPUs in use
  GpuBusy busy;                            // likewise
  std::optional<double> peak_memory = {};  // the most that the run had on one of them, in bytes
};

/// A line of an agent.
std::string environment_line(const nlohmann::json& environment);
std::string conditions_line(const ConditionsMonitor& conditions);

/// Takes in such a line; one that is damaged is left out. `clock_offset`: seconds to add to the
/// node's clock to have ours.
void read_node_line(std::string_view line, double clock_offset, NodeReport& report);

}  // namespace trainmark
