#include "base/version.h"

#include <cstdlib>
#include <initializer_list>

#include "version_commit.h"

namespace trainmark {

namespace fs = std::filesystem;

const char* version() {
  return TRAINMARK_VERSION;
}

const char* commit() {
  return TRAINMARK_COMMIT;
}

fs::path program_folder() {
  std::error_code error;
  const fs::path program = fs::read_symlink("/proc/self/exe", error);
  return error ? fs::path() : program.parent_path();
}

fs::path home() {
  if (const char* named = std::getenv("TRAINMARK_HOME"); named != nullptr && *named != '\0') {
    return named;
  }
  const fs::path folder = program_folder();
  for (const fs::path& candidate :
       {folder, folder.parent_path(), folder.parent_path() / "share" / "trainmark",
        fs::path(TRAINMARK_SOURCE_DIR)}) {
    std::error_code error;
    if (fs::is_directory(candidate / "suites", error) &&
        fs::is_directory(candidate / "frameworks", error)) {
      return candidate;
    }
  }
  return {};
}

}  // namespace trainmark
