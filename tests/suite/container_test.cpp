#include "suite/container.h"

#include <gtest/gtest.h>

#include <filesystem>

#include "base/error.h"
#include "base/text.h"

namespace trainmark {
namespace {

std::optional<Container> container_of(const std::string& text) {
  YamlMap map = read_yaml(text, "s.yaml", "the test");
  return parse_container(map);
}

std::string container_refusal(const std::string& text) {
  try {
    container_of(text);
  } catch (const UserError& error) {
    return error.what();
  }
  return "accepted";
}

ContainerUse use() {
  ContainerUse use;
  use.command = {"python", "train.py", "a b"};
  use.variables = {"RANK"};
  use.label = "trainmark.run=1";
  use.gpus = true;
  return use;
}

TEST(Container, IsAnImageOrAMapping) {
  EXPECT_FALSE(container_of("a: b"));
  EXPECT_EQ(container_of("container: ubuntu")->image, "ubuntu");
  EXPECT_EQ(container_of("container: ubuntu")->engine, "docker");
  const auto whole = container_of(
      "container: {image: x.sif, engine: apptainer, mounts: [/a:/b, ./c:/d:ro], folder: /w, "
      "arguments: [--fakeroot], gpus: none}");
  EXPECT_EQ(whole->engine, "apptainer");
  EXPECT_FALSE(whole->gpus);
  EXPECT_EQ(whole->mounts[0], "/a:/b");
  EXPECT_EQ(whole->mounts[1], (std::filesystem::current_path() / "c").string() + ":/d:ro");
}

TEST(Container, RefusesWhatCannotBe) {
  EXPECT_NE(container_refusal("container: {engine: docker}").find("no image"), std::string::npos);
  EXPECT_NE(container_refusal("container: {image: x, engine: dokcer}").find("'docker'"),
            std::string::npos);
  EXPECT_NE(container_refusal("container: {image: x, mounts: [/data]}").find("FROM:TO"),
            std::string::npos);
  EXPECT_NE(container_refusal("container: {image: x, mounts: ['/data:rel']}").find("FROM:TO"),
            std::string::npos);
  EXPECT_NE(container_refusal("container: {image: x, gpus: 3}").find("all or none"),
            std::string::npos);
  EXPECT_NE(container_refusal("container: {image: x, mount: [/a:/b]}").find("'mounts'"),
            std::string::npos);
}

TEST(Container, DockerIsGivenGpusVariablesAndMounts) {
  Container container;
  container.image = "image:1";
  container.mounts = {"/data:/data:ro"};
  container.folder = "/work";
  container.arguments = {"--shm-size", "1g"};
  EXPECT_EQ(shell_line(container_command(container, use())),
            "docker run --rm --init --label trainmark.run=1 --gpus all --env RANK --volume "
            "/data:/data:ro --workdir /work --shm-size 1g image:1 python train.py 'a b'");
}

TEST(Container, EventsLeaveDockerThroughItsOutput) {
  Container container;
  container.image = "image";
  ContainerUse events = use();
  events.events = true;
  events.several = true;
  const auto words = container_command(container, events);
  const std::string line = shell_line(words);
  EXPECT_NE(line.find("--network host --ipc host"), std::string::npos) << line;
  EXPECT_NE(line.find("--env TRAINMARK_EVENTS=3"), std::string::npos) << line;
  EXPECT_EQ(words[words.size() - 6], "-c");
  EXPECT_EQ(words[words.size() - 5], "exec \"$@\" 3>&1 1>&2");
}

TEST(Container, ApptainerIsAChildOfOurs) {
  Container container;
  container.engine = "apptainer";
  container.image = "x.sif";
  container.mounts = {"/data:/data"};
  ContainerUse own = use();
  own.folder = "/here";
  own.events = true;
  EXPECT_EQ(shell_line(container_command(container, own)),
            "apptainer exec --nv --bind /data:/data --pwd /here x.sif python train.py 'a b'");
  EXPECT_TRUE(is_transparent("apptainer"));
  EXPECT_FALSE(is_transparent("docker"));
}

TEST(Container, PodmanNamesGpusInItsOwnWay) {
  Container container;
  container.engine = "podman";
  container.image = "image";
  EXPECT_NE(shell_line(container_command(container, use())).find("--device nvidia.com/gpu=all"),
            std::string::npos);
}

}  // namespace
}  // namespace trainmark
