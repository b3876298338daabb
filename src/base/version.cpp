#include "base/version.h"

#include <cstdlib>
#include <initializer_list>

#include "version_commit.h"

namespace trainmark {

namespace fs = std::filesystem;

namespace {

bool holds_data(const fs::path& folder) {
  std::error_code error;
  return fs::is_directory(folder / "suites", error) &&
         fs::is_directory(folder / "frameworks", error);
}

}  // namespace

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

fs::path trainers_folder() {
  const fs::path beside = program_folder();
  const fs::path own = beside.parent_path() / "libexec" / "trainmark";
  std::error_code error;
  return fs::is_directory(own, error) ? own : beside;
}

fs::path home() {
  if (const char* named = std::getenv("TRAINMARK_HOME"); named != nullptr && *named != '\0') {
    return named;
  }
  const fs::path folder = program_folder();
  const fs::path above = folder.parent_path();
  for (const fs::path& candidate : {
           above / "share" / "trainmark",
           folder,
           above,
           above.parent_path().parent_path(),  // SOURCE/build/NAME/bin
#ifdef TRAINMARK_SOURCE_DIR
           fs::path(TRAINMARK_SOURCE_DIR),
#endif
       }) {
    if (holds_data(candidate)) return candidate;
  }
  return {};
}

fs::path results_folder() {
  const char* named = std::getenv("TRAINMARK_RESULTS");
  return named == nullptr || *named == '\0' ? "results" : named;
}

bool is_checkout(const fs::path& home) {
  std::error_code error;
  return fs::exists(home / "CMakeLists.txt", error);
}

}  // namespace trainmark
