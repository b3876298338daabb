#include "bench/run.h"

#include <fmt/format.h>

#include "base/error.h"
#include "base/files.h"
#include "bench/active_run.h"

namespace trainmark {

namespace {

constexpr double run_beat = 0.05;  // seconds between looks at the trainer

}  // namespace

void make_new_folder(const std::filesystem::path& folder) {
  make_folders(folder.parent_path());
  std::error_code error;
  if (!std::filesystem::create_directory(folder, error)) {
    throw SystemError(fmt::format("cannot create {}: {}", folder.string(),
                                  error ? error.message() : "it already exists"));
  }
  sync_folder(folder.parent_path());
}

void make_empty_folder(const std::filesystem::path& folder) {
  std::error_code error;
  std::filesystem::remove_all(folder, error);
  if (error) {
    throw SystemError(fmt::format("cannot empty {}: {}", folder.string(), error.message()));
  }
  make_folders(folder);
}

RunRecord perform_run(const RunTask& task, const Measuring& measuring, const RunHooks& hooks) {
  ActiveRun run(task, measuring, hooks.now());
  while (run.wait(run_beat)) {
    const double now = hooks.now();
    if (hooks.interrupted && hooks.interrupted()) run.give_up(now);
    run.look(now);
    if (hooks.progress) hooks.progress(run.view(now));
  }
  RunRecord record = run.finish(hooks.now());
  // Whoever ends a job ends its runs first: the bench may not have heard of it yet.
  const bool ended_early = !record.ok || record.summary.stopped == "ended";
  if (ended_early && !measuring.launcher->has_machines()) throw Interrupted();
  return record;
}

}  // namespace trainmark
