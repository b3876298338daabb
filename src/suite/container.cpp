#include "suite/container.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "base/text.h"
#include "protocol/event_lines.h"

namespace trainmark {

namespace {

const std::vector<std::string> engines = {"docker", "podman", "apptainer", "singularity"};

void check_engine(const Placed<std::string>& engine) {
  if (std::find(engines.begin(), engines.end(), engine.value) != engines.end()) return;
  fail_at(engine.place, fmt::format("unknown container engine '{}'; {}", printable(engine.value),
                                    suggest(engine.value, engines)));
}

void check_mount(const Placed<std::string>& mount) {
  const auto parts = split(mount.value, ':');
  const bool whole = parts.size() >= 2 && !parts[0].empty() && parts[1].starts_with('/');
  if (whole && (parts.size() == 2 || (parts.size() == 3 && !parts[2].empty()))) return;
  fail_at(mount.place,
          fmt::format("'{}' is not a mount; write FROM:TO or FROM:TO:ro, with TO from the "
                      "root of the container",
                      printable(mount.value)));
}

/// Engines take whole paths; one that begins with a dot is meant from where trainmark was started.
std::string from_here(const std::string& mount) {
  if (!mount.starts_with("./") && !mount.starts_with("../")) return mount;
  const std::size_t end = mount.find(':');
  const auto path = std::filesystem::absolute(mount.substr(0, end)).lexically_normal();
  return path.string() + mount.substr(end);
}

Container parse_mapping(YamlMap map) {
  Container container;
  container.place = map.place();
  if (const auto engine = map.text("engine")) {
    check_engine(*engine);
    container.engine = engine->value;
  }
  if (const auto image = map.text("image")) container.image = image->value;
  for (const auto& mount : map.list("mounts")) {
    check_mount(mount);
    container.mounts.push_back(from_here(mount.value));
  }
  container.arguments = map.words("arguments");
  if (const auto folder = map.text("folder")) container.folder = folder->value;
  if (const auto gpus = map.text("gpus")) {
    if (gpus->value != "all" && gpus->value != "none")
      fail_at(gpus->place, fmt::format("'gpus' of a container must be all or none, not '{}'",
                                       printable(gpus->value)));
    container.gpus = gpus->value == "all";
  }
  map.finish();
  if (container.image.empty())
    fail_at(container.place, "the container has no image; write image: NAME-OR-FILE");
  return container;
}

using Words = std::vector<std::string>;

void add(Words& words, std::initializer_list<std::string> more) {
  words.insert(words.end(), more.begin(), more.end());
}

void add(Words& words, const Words& more) {
  words.insert(words.end(), more.begin(), more.end());
}

/// What all engines are told, each with words of its own: mounts, folder, and last the image.
void add_image(Words& words, const Container& container, const ContainerUse& use,
               const char* mount_word, const char* folder_word) {
  for (const auto* mounts : {&use.mounts, &container.mounts})
    for (const auto& mount : *mounts) add(words, {mount_word, mount});
  const std::string& folder = container.folder.empty() ? use.folder : container.folder;
  if (!folder.empty()) add(words, {folder_word, folder});
  add(words, container.arguments);
  add(words, {container.image});
}

/// docker and podman. `--init` puts a process first that passes signals on: a program that is
/// number one of its container would not be ended by any it has no handler for.
Words service_command(const Container& container, const ContainerUse& use) {
  Words words = {container.engine, "run", "--rm", "--init", "--label", use.label};
  if (use.gpus) {
    if (container.engine == "podman") add(words, {"--device", "nvidia.com/gpu=all"});
    if (container.engine == "docker") add(words, {"--gpus", "all"});
  }
  if (use.several) add(words, {"--network", "host", "--ipc", "host"});
  for (const auto& name : use.variables) add(words, {"--env", name});
  if (use.events) add(words, {"--env", fmt::format("{}=3", events_variable)});
  add_image(words, container, use, "--volume", "--workdir");
  // Only descriptors 1 and 2 leave the container: events go out through the first, and what the
  // program prints through the second.
  if (use.events) add(words, {"sh", "-c", "exec \"$@\" 3>&1 1>&2", "sh"});
  add(words, use.command);
  return words;
}

/// apptainer and singularity start the program as a child of ours, with our environment and
/// descriptors.
Words transparent_command(const Container& container, const ContainerUse& use) {
  Words words = {container.engine, "exec"};
  if (use.gpus) add(words, {"--nv"});
  add_image(words, container, use, "--bind", "--pwd");
  add(words, use.command);
  return words;
}

}  // namespace

std::optional<Container> parse_container(YamlMap& settings) {
  const YAML::Node node = settings.take("container");
  if (!node.IsDefined()) return std::nullopt;
  if (!node.IsScalar()) return parse_mapping(*settings.map("container"));
  Container container;
  container.place = settings.place_of(node);
  container.image = node.Scalar();
  return container;
}

bool is_transparent(const std::string& engine) {
  return engine == "apptainer" || engine == "singularity";
}

std::vector<std::string> container_command(const Container& container, const ContainerUse& use) {
  return is_transparent(container.engine) ? transparent_command(container, use)
                                          : service_command(container, use);
}

}  // namespace trainmark
