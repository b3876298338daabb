#include "data/making/new_folder.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "base/error.h"
#include "base/files.h"
#include "base/text.h"

namespace trainmark::data {

namespace fs = std::filesystem;

namespace {

/// Where a link points to, and without a slash at the end: the name is to be given to a folder.
fs::path plain_path(const fs::path& folder) {
  std::error_code error;
  fs::path plain = fs::weakly_canonical(fs::absolute(folder), error);
  if (error) plain = fs::absolute(folder).lexically_normal();
  return plain.has_filename() ? plain : plain.parent_path();
}

[[noreturn]] void refuse_folder(const fs::path& folder, const std::string& why) {
  throw UserError(fmt::format("{}: {}", printable(folder.string()), why));
}

/// A disk is mounted there: no folder can take its name.
bool is_mount_point(const fs::path& folder) {
  struct stat here {
  }, above{};
  return ::stat(folder.c_str(), &here) == 0 && ::stat(folder.parent_path().c_str(), &above) == 0 &&
         here.st_dev != above.st_dev;
}

void check_is_free(const fs::path& folder) {
  std::error_code error;
  const fs::file_status status = fs::status(folder, error);
  if (status.type() == fs::file_type::not_found) return;
  if (!fs::is_directory(status))
    refuse_folder(folder, "this is a file; name a folder that is new or empty");
  if (!fs::is_empty(folder, error) || error)
    refuse_folder(folder, "the folder is not empty; name one that is new or empty");
  if (is_mount_point(folder))
    refuse_folder(folder, "a disk is mounted here; name a new folder below this one");
}

[[noreturn]] void fail(const char* what, const fs::path& folder, int error) {
  throw SystemError(fmt::format("cannot {} {}: {}", what, folder.string(), std::strerror(error)));
}

}  // namespace

NewFolder::NewFolder(const fs::path& folder) : folder_(plain_path(folder)) {
  check_is_free(folder_);
  const fs::path partial = folder_.string() + ".partial";
  make_folders(folder_.parent_path());
  if (::mkdir(partial.c_str(), 0777) != 0) {
    if (errno != EEXIST) fail("create the folder", partial, errno);
    refuse_folder(partial,
                  "a data set is being made here, or was and never finished; remove the folder if "
                  "nobody is writing to it");
  }
  partial_ = partial;
}

NewFolder::~NewFolder() {
  if (partial_.empty()) return;
  std::error_code ignored;
  fs::remove_all(partial_, ignored);
}

void NewFolder::finish() {
  const int descriptor = ::open(partial_.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (descriptor < 0) fail("open", partial_, errno);
  // One call for the whole disk: syncing a million pictures one by one would take hours.
  const int error = ::syncfs(descriptor) == 0 ? 0 : errno;
  ::close(descriptor);
  if (error != 0) fail("write", partial_, error);
  if (::rename(partial_.c_str(), folder_.c_str()) != 0) fail("create the folder", folder_, errno);
  partial_.clear();
  sync_folder(folder_.parent_path());
}

}  // namespace trainmark::data
