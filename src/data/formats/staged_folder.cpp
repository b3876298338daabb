#include "data/formats/staged_folder.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <stdlib.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <vector>

#include "base/error.h"
#include "base/files.h"
#include "base/signals.h"

namespace trainmark::data {

namespace fs = std::filesystem;

namespace {

constexpr std::size_t written_together = 1 << 20;

[[noreturn]] void fail_to_write(const fs::path& path, int error) {
  throw SystemError(fmt::format("cannot write {}: {}", path.string(), write_failure(error)));
}

/// 0, or the error number. One call for the whole disk: a sync for each of a million pictures would
/// take hours.
int sync_disk_of(const fs::path& folder) {
  const int descriptor = ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (descriptor < 0) return errno;
  const int error = ::syncfs(descriptor) == 0 ? 0 : errno;
  ::close(descriptor);
  return error;
}

/// Moves what lies in a folder, and notes what has moved. Throws SystemError where one cannot.
void give_names(const fs::path& from, const fs::path& to, std::vector<fs::path>& done) {
  std::vector<fs::path> staged(fs::directory_iterator(from), {});
  std::ranges::sort(staged);
  for (const fs::path& path : staged) {
    const fs::path target = to / path.filename();
    std::error_code error;
    if (fs::is_directory(path, error) && fs::is_directory(target, error)) {
      give_names(path, target, done);
      continue;
    }
    if (fs::exists(target, error)) fail_to_write(target, EEXIST);
    if (::rename(path.c_str(), target.c_str()) != 0) fail_to_write(target, errno);
    done.push_back(target);
  }
}

}  // namespace

StagedFolder::StagedFolder(fs::path folder) : folder_(std::move(folder)) {
  std::string name = (folder_ / ".unfinished-XXXXXX").string();
  if (::mkdtemp(name.data()) == nullptr) fail_to_write(folder_, errno);
  stage_ = name;
}

StagedFolder::~StagedFolder() {
  std::error_code ignored;
  fs::remove_all(stage_, ignored);
}

void StagedFolder::publish() {
  if (const int error = sync_disk_of(stage_)) fail_to_write(folder_, error);
  const HeldSignals held;
  std::vector<fs::path> done;
  try {
    give_names(stage_, folder_, done);
  } catch (const SystemError&) {
    std::error_code ignored;
    for (const fs::path& published : done) fs::remove_all(published, ignored);
    throw;
  }
  std::error_code ignored;
  fs::remove_all(stage_, ignored);  // the folders that were there already
  sync_folder(folder_);
}

OutputFile::OutputFile(fs::path path) : path_(std::move(path)) {
  descriptor_ = ::open(path_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
  if (descriptor_ < 0) fail_to_write(path_, errno);
}

OutputFile::~OutputFile() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

void OutputFile::write(BytesView bytes) {
  write(std::string_view(reinterpret_cast<const char*>(bytes.data()), bytes.size()));
}

void OutputFile::write(std::string_view bytes) {
  written_ += bytes.size();
  waiting_ += bytes;
  if (waiting_.size() >= written_together) flush();
}

void OutputFile::flush() {
  stop_if_interrupted();
  for (std::string_view left = waiting_; !left.empty();) {
    const ssize_t wrote = ::write(descriptor_, left.data(), left.size());
    if (wrote < 0 && errno == EINTR) continue;
    if (wrote <= 0) fail_to_write(path_, wrote == 0 ? EIO : errno);
    left.remove_prefix(static_cast<std::size_t>(wrote));
  }
  waiting_.clear();
}

void OutputFile::close() {
  flush();
  const int result = ::close(descriptor_);
  const int error = errno;
  descriptor_ = -1;
  if (result != 0 && error != EINTR) fail_to_write(path_, error);
}

}  // namespace trainmark::data
