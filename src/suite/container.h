#pragma once

#include <optional>
#include <string>
#include <vector>

#include "suite/yaml_reader.h"

namespace trainmark {

/// A container in which the processes of a framework run.
struct Container {
  std::string engine = "docker";
  std::string image;
  std::vector<std::string> mounts;     // FROM:TO or FROM:TO:ro
  std::vector<std::string> arguments;  // of the engine, in front of the image
  std::string folder;                  // where the program starts in it; empty: the image's own
  bool gpus = true;                    // unless the cell is for the CPU
  Place place;
};

/// The value of the key `container`: an image's name, or a mapping.
std::optional<Container> parse_container(YamlMap& settings);

/// What is to be started in a container.
struct ContainerUse {
  std::vector<std::string> command;
  std::vector<std::string> variables;  // names: the values are taken from the environment
  std::vector<std::string> mounts;     // beside the container's own
  std::string folder;                  // where the program starts, if the container does not say
  std::string label;                   // NAME=VALUE, by which the container is found again
  bool gpus = false;
  bool several = false;  // other processes of the job are in containers beside it
  bool events = false;   // it tells events (docs/protocol.md)
};

/// The command that starts it.
std::vector<std::string> container_command(const Container& container, const ContainerUse& use);

/// Does this engine hand descriptors of ours through, and end with our processes? Others have a
/// service of their own that keeps the containers.
bool is_transparent(const std::string& engine);

}  // namespace trainmark
