#include "cli/file_progress.h"

#include <fmt/format.h>
#include <unistd.h>

#include "base/output.h"
#include "base/terminal.h"
#include "base/text.h"

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

FileProgress::FileProgress(std::string what)
    : FileProgress(
          can_redraw(STDERR_FILENO), seconds_now,
          [](const std::string& text) { write_diagnostics(text); }, std::move(what)) {}

FileProgress::FileProgress(bool terminal, Clock clock, Sink sink, std::string what)
    : what_(std::move(what)),
      terminal_(terminal),
      clock_(std::move(clock)),
      sink_(std::move(sink)),
      begun_(clock_()),
      shown_(begun_) {}

FileProgress::~FileProgress() {
  if (bar_stands_) sink_("\r\x1b[K");  // the work was given up
}

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
  std::string text = fmt::format("{} of {} {}", done, files, what_);
  if (done > 0)
    text +=
        fmt::format(", {} left", duration_text((now - begun_) * static_cast<double>(files - done) /
                                               static_cast<double>(done)));
  if (terminal_) {
    show_bar(done, files, text);
  } else {
    sink_(text + "\n");
  }
}

void FileProgress::show_bar(std::size_t done, std::size_t files, const std::string& text) {
  const std::size_t full = bar_width * done / files;
  sink_(fmt::format("\r[{}{}] {}\x1b[K", std::string(full, '#'), std::string(bar_width - full, '.'),
                    text));
  bar_stands_ = true;
}

}  // namespace trainmark
