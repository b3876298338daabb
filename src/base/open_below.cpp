#include "base/open_below.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/text.h"

namespace trainmark {

int open_below(const std::filesystem::path& folder, std::string_view relative) {
  if (relative.find('\0') != std::string_view::npos) return -1;
  const std::vector<std::string> parts = split(relative, '/');
  int place = ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  for (std::size_t i = 0; i < parts.size() && place >= 0; ++i) {
    const std::string& part = parts[i];
    const bool last = i + 1 == parts.size();
    const bool is_name = !part.empty() && part != "." && part != "..";
    // O_NONBLOCK: a FIFO must not make us wait for its writer.
    const int flags = O_RDONLY | O_NOFOLLOW | O_CLOEXEC | (last ? O_NONBLOCK : O_DIRECTORY);
    const int next = is_name ? ::openat(place, part.c_str(), flags) : -1;
    ::close(place);
    place = next;
  }
  struct stat status {};
  if (place >= 0 && (fstat(place, &status) != 0 || !S_ISREG(status.st_mode))) {
    ::close(place);
    place = -1;
  }
  return place;
}

}  // namespace trainmark
