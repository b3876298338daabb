#pragma once

#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>

namespace trainmark {

/// A folder with files of /proc and /sys that a test writes, gone with the test.
class FakeMachine {
 public:
  FakeMachine() {
    std::string name = (std::filesystem::temp_directory_path() / "trainmark-XXXXXX").string();
    if (::mkdtemp(name.data()) == nullptr) std::abort();
    root_ = name;
  }
  ~FakeMachine() {
    std::error_code error;
    std::filesystem::remove_all(root_, error);
  }
  FakeMachine(const FakeMachine&) = delete;
  FakeMachine& operator=(const FakeMachine&) = delete;

  const std::filesystem::path& root() const { return root_; }

  void write(std::string_view path, std::string_view content) const {
    const std::filesystem::path full = root_.string() + std::string(path);
    std::filesystem::create_directories(full.parent_path());
    std::ofstream(full, std::ios::binary) << content;
  }
  void remove(std::string_view path) const {
    std::filesystem::remove_all(root_.string() + std::string(path));
  }

 private:
  std::filesystem::path root_;
};

}  // namespace trainmark
