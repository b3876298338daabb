#pragma once

#include <ATen/core/Tensor.h>

#include <utility>
#include <variant>
#include <vector>

#include "workload/optimizer_settings.h"

namespace trainmark::train {

/// Parameters that are changed in one go. Groups differ in how their weights decay.
struct ParameterGroup {
  OptimizerSettings settings;
  std::vector<std::size_t> members;  // numbers of the parameters
};

/// All in one group, or those of fewer than two dimensions in one of their own, without decay. None
/// is empty. Inline: the library for GPUs shares no code with the program that opens it.
inline std::vector<ParameterGroup> group_parameters(const OptimizerSettings& settings,
                                                    const std::vector<at::Tensor>& parameters,
                                                    Decay decay) {
  ParameterGroup decayed{.settings = settings, .members = {}};
  ParameterGroup exempt = decayed;
  std::visit([](auto& own) { own.weight_decay = 0; }, exempt.settings);
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    const bool decays = decay == Decay::all || parameters[i].dim() >= 2;
    (decays ? decayed : exempt).members.push_back(i);
  }
  std::vector<ParameterGroup> groups;
  if (!decayed.members.empty()) groups.push_back(std::move(decayed));
  if (!exempt.members.empty()) groups.push_back(std::move(exempt));
  return groups;
}

}  // namespace trainmark::train
