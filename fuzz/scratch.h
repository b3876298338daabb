#pragma once

#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>

namespace trainmark::fuzz {

/// A folder in memory for readers that want a path; one for the whole process, gone with it.
inline const std::filesystem::path& scratch() {
  struct Folder {
    std::filesystem::path path;
    Folder() {
      std::string name = "/dev/shm/trainmark-fuzz-XXXXXX";
      if (mkdtemp(name.data()) == nullptr) std::abort();
      path = name;
    }
    ~Folder() { std::filesystem::remove_all(path); }
  };
  static const Folder folder;
  return folder.path;
}

/// The bytes as a file of the scratch folder.
inline std::filesystem::path as_file(const std::string& name, std::string_view bytes) {
  const std::filesystem::path path = scratch() / name;
  std::ofstream(path, std::ios::binary).write(bytes.data(), std::ssize(bytes));
  return path;
}

inline std::string_view view_of(const unsigned char* data, std::size_t size) {
  return {reinterpret_cast<const char*>(data), size};
}

}  // namespace trainmark::fuzz
