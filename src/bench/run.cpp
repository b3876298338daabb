#include "bench/run.h"

#include <fmt/format.h>

#include "base/error.h"
#include "bench/active_run.h"

namespace trainmark {

namespace {

constexpr double run_beat = 0.05;  // seconds between looks at the trainer

}  // namespace

void make_new_folder(const std::filesystem::path& folder) {
  std::error_code error;
  std::filesystem::create_directories(folder.parent_path(), error);
  if (!error && std::filesystem::create_directory(folder, error)) return;
  throw SystemError(fmt::format("cannot make {}: {}", folder.string(),
                                error ? error.message() : "it is there already"));
}

void make_empty_folder(const std::filesystem::path& folder) {
  std::error_code error;
  std::filesystem::remove_all(folder, error);
  std::filesystem::create_directories(folder, error);
  if (error) {
    throw SystemError(fmt::format("cannot make {}: {}", folder.string(), error.message()));
  }
}

RunRecord perform_run(const RunTask& task, const Measuring& measuring, const RunHooks& hooks) {
  ActiveRun run(task, measuring, hooks.now());
  while (run.wait(run_beat)) {
    const double now = hooks.now();
    if (hooks.interrupted && hooks.interrupted()) run.give_up(now);
    run.look(now);
    if (hooks.progress) hooks.progress(run.view(now));
  }
  return run.finish(hooks.now());
}

}  // namespace trainmark
