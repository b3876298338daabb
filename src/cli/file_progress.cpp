#include "cli/file_progress.h"

#include <fmt/format.h>
#include <unistd.h>

#include "base/output.h"

namespace trainmark {

namespace {

constexpr double silent_seconds = 2;
constexpr double seconds_between_bars = 0.1;
constexpr double seconds_between_lines = 5;
constexpr std::size_t bar_width = 30;

double seconds_now() {
  const auto now = std::chrono::steady_clock::now().time_since_epoch();
  return std::chrono::duration<double>(now).count();
}

}  // namespace

FileProgress::FileProgress()
    : FileProgress(::isatty(STDERR_FILENO) != 0, seconds_now,
                   [](const std::string& text) { write_diagnostics(text); }) {}

FileProgress::FileProgress(bool terminal, Clock clock, Sink sink)
    : terminal_(terminal),
      clock_(std::move(clock)),
      sink_(std::move(sink)),
      begun_(clock_()),
      shown_(begun_) {}

void FileProgress::show(std::size_t done, std::size_t files) {
  const double now = clock_();
  if (done == files) {
    if (bar_stands_) sink_("\r\x1b[K");
    bar_stands_ = false;
    return;
  }
  if (now - begun_ < silent_seconds) return;
  const bool first = shown_ == begun_;
  if (!first && now - shown_ < (terminal_ ? seconds_between_bars : seconds_between_lines)) return;
  shown_ = now;
  if (terminal_) {
    show_bar(done, files);
  } else {
    sink_(fmt::format("{} of {} files read\n", done, files));
  }
}

void FileProgress::show_bar(std::size_t done, std::size_t files) {
  const std::size_t full = bar_width * done / files;
  sink_(fmt::format("\r[{}{}] {} of {} files", std::string(full, '#'),
                    std::string(bar_width - full, '.'), done, files));
  bar_stands_ = true;
}

}  // namespace trainmark
