#pragma once

#include <string>
#include <vector>

#include "suite/container.h"

namespace trainmark {

/// The containers of a run that an engine keeps beside our processes: ending its client by force
/// leaves them behind.
struct KeptContainers {
  std::string engine = {};  // empty: there are none
  std::string label = {};   // by which they are found
};

/// The command of one of Trainmark's own trainers, to be started in a container: what it is made of
/// is mounted where it lies on this machine.
std::vector<std::string> trainer_in_container(const Container& container, ContainerUse use);

/// Ends and removes the containers of a run that an engine still keeps. What the engine refuses is
/// left: there is nobody to tell.
void remove_containers(const KeptContainers& containers);

}  // namespace trainmark
