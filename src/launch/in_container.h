#pragma once

#include <string>
#include <vector>

#include "suite/container.h"

namespace trainmark {

/// The command of one of Trainmark's own trainers, to be started in a container: what it is made of
/// is mounted where it lies on this machine.
std::vector<std::string> trainer_in_container(const Container& container, ContainerUse use);

/// Ends and removes the containers of a run that an engine still keeps. What the engine refuses is
/// left: there is nobody to tell.
void remove_containers(const std::string& engine, const std::string& label);

}  // namespace trainmark
