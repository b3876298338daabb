#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

namespace trainmark {

/// Writes a .tar.zst: beside the file first, renamed when it is whole. Nothing is left behind where
/// it is never finished. Throws SystemError, and Interrupted where signals are noted.
class ArchiveWriter {
 public:
  /// `time`: of all entries, in seconds since 1970, so that the same content gives the same bytes.
  ArchiveWriter(std::filesystem::path file, std::int64_t time);
  ~ArchiveWriter();
  ArchiveWriter(const ArchiveWriter&) = delete;
  ArchiveWriter& operator=(const ArchiveWriter&) = delete;

  void add(const std::string& name, std::string_view content);
  void finish();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

/// What an archive of others may be at most.
struct ArchiveLimits {
  std::uint64_t bytes = std::uint64_t{8} << 30;  // of all files, unpacked
  std::size_t entries = 500'000;
  std::size_t name = 1024;  // bytes
};

/// Unpacks the files of a .tar.zst into an empty folder: those for which `place` gives a relative
/// path (nothing = left out). The archive is not trusted: it may hold files and folders only, with
/// names that stay inside, each once, and not more than the limits. All of that is checked before
/// anything is written. Throws UserError, naming what is wrong with it.
void unpack_archive(const std::filesystem::path& file, const std::filesystem::path& folder,
                    const std::function<std::string(const std::string& name)>& place,
                    const ArchiveLimits& limits = {});

/// Only names, one after the other, relative, none of them ".." or empty, no control characters.
bool is_inner_path(std::string_view name);

}  // namespace trainmark
