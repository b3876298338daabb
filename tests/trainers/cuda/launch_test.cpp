// Every launch of a kernel is checked, and a failed one says its name.

#include <torch/types.h>

#include <filesystem>
#include <fstream>
#include <sstream>

#include "support.h"

namespace trainmark::train {
namespace {

namespace fs = std::filesystem;

std::string text_of_file(const fs::path& path) {
  std::ostringstream text;
  text << std::ifstream(path).rdbuf();
  return text.str();
}

/// Does the statement behind the launch check it?
bool is_checked(const std::string& source, std::size_t launch) {
  const std::size_t end = source.find(';', launch);
  const std::size_t next = source.find_first_not_of(" \n", end + 1);
  return source.compare(next, 13, "check_launch(") == 0;
}

TEST(Launches, AreAllChecked) {
  int launches = 0;
  for (const auto& entry : fs::recursive_directory_iterator(TRAINMARK_SOURCE "/trainers/cuda")) {
    if (!entry.is_regular_file()) continue;
    const std::string source = text_of_file(entry.path());
    for (std::size_t at = source.find("<<<"); at != std::string::npos;
         at = source.find("<<<", at + 3)) {
      if (source.compare(at, 6, "<<<>>>") == 0) continue;  // in a comment
      const auto line =
          1 + std::count(source.begin(), source.begin() + static_cast<long>(at), '\n');
      EXPECT_TRUE(is_checked(source, at))
          << entry.path() << ":" << line << ": write check_launch(\"...\") behind it";
      ++launches;
    }
  }
  EXPECT_GT(launches, 15);
}

using LaunchesOnGpu = OnGpu;

/// A grid without a block is what no device can launch.
TEST_F(LaunchesOnGpu, NameTheKernelThatCouldNotBeLaunched) {
  const at::Tensor empty = at::empty({0, 64}, at::TensorOptions(at::kCUDA));
  const at::Tensor row = at::ones({64}, empty.options());
  const auto add_norm = accelerator->kernels().add_norm;
  try {
    add_norm({.x = empty, .y = empty, .weight = row, .bias = row});
    FAIL() << "nothing was thrown";
  } catch (const std::runtime_error& error) {
    EXPECT_NE(std::string_view(error.what()).find("'add_norm forward' could not be launched"),
              std::string_view::npos)
        << error.what();
  }
  // The device is as good as before.
  const at::Tensor x = at::ones({2, 64}, empty.options());
  EXPECT_EQ(add_norm({.x = x, .y = x, .weight = row, .bias = row}).branch.sum().item<float>(), 128);
}

}  // namespace
}  // namespace trainmark::train
