// A bundle from a stranger: it is unpacked into a folder, and nothing outside of it is touched, or
// it is refused.

#include <cstdint>

#include "base/archive.h"
#include "base/error.h"
#include "scratch.h"

using namespace trainmark;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto file = fuzz::as_file("bundle.tar.zst", fuzz::view_of(data, size));
  const auto folder = fuzz::scratch() / "unpacked" / "here";
  std::filesystem::create_directories(folder);
  ArchiveLimits limits;
  limits.bytes = 1 << 20;
  limits.entries = 64;
  try {
    unpack_archive(
        file, folder, [](const std::string& name) { return name; }, limits);
  } catch (const UserError&) {
  }
  std::size_t bytes = 0;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(folder))
    if (entry.is_regular_file()) bytes += entry.file_size();
  if (bytes > limits.bytes) std::abort();
  std::filesystem::remove_all(folder);
  for (const auto& entry : std::filesystem::directory_iterator(fuzz::scratch()))
    if (entry.path() != file && entry.path().filename() != "unpacked") std::abort();
  if (!std::filesystem::is_empty(folder.parent_path())) std::abort();
  return 0;
}
