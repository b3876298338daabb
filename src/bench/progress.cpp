#include "bench/progress.h"

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>

#include "base/output.h"
#include "base/text.h"
#include "base/time.h"

namespace trainmark {

namespace {

constexpr double redraw_beat = 0.2;  // seconds between two live lines

std::string head(const SuiteView& suite) {
  const std::string total = std::to_string(suite.total);
  return fmt::format("[{:>{}}/{}]", std::min(suite.done + 1, suite.total), total.size(), total);
}

std::string quality_outcome_text(const RunRecord& record) {
  const QualityOutcome& quality = *record.quality;
  if (!quality.reached) return missed_text(quality);
  return fmt::format("{} {:.6g} reached after {} and {:.0f} {}", printable(quality.metric, 40),
                     quality.target, duration_text(quality.seconds), quality.samples,
                     printable(record.unit, 40));
}

std::string outcome(const RunRecord& record) {
  if (!record.ok) return fmt::format("FAILED ({}): {}", record.failure, printable(record.reason));
  if (record.quality) return quality_outcome_text(record);
  const Throughput& throughput = record.summary.throughput;
  std::string text =
      fmt::format("{} {}/s {}  {}, {}", figure(throughput.value), printable(record.unit, 40),
                  half_width_text(half_width(throughput)), counted(record.summary.steps, "step"),
                  duration_text(record.seconds));
  for (const auto& verdict : record.verdicts) text += "  !" + verdict.name;
  return text;
}

std::string left(const SuiteView& suite) {
  return suite.seconds_left < 0 ? ""
                                : fmt::format("  about {} left", duration_text(suite.seconds_left));
}

class PlainProgress : public Progress {
 public:
  void say(const std::string& line) override { write_diagnostics(safe_text(line) + "\n"); }
  void started(const RunTask&, const SuiteView&) override {}
  void running(const RunTask&, const RunView&, const SuiteView&) override {}
  void finished(const RunRecord& record, const SuiteView& suite) override {
    SuiteView before = suite;
    before.done -= 1;
    say(fmt::format("{} {} round {}: {}{}", head(before), record.cell.key(), record.round,
                    outcome(record), left(suite)));
  }
};

/// The same lines, with one more below them that is redrawn as the run goes on.
class LiveProgress : public PlainProgress {
 public:
  void say(const std::string& line) override {
    clear();
    PlainProgress::say(line);
  }

  void started(const RunTask& task, const SuiteView& suite) override {
    last_ = 0;
    running(task, {}, suite);
  }

  void running(const RunTask& task, const RunView& run, const SuiteView& suite) override {
    const double now = monotonic_seconds();
    if (now - last_ < redraw_beat) return;
    last_ = now;
    std::string text = fmt::format("{} {} round {}  {}", head(suite), task.planned.cell.key(),
                                   task.round, duration_text(run.seconds));
    if (run.steps > 0) text += fmt::format("  step {}", run.steps);
    if (run.quality)
      text += fmt::format("  epoch {:.2f} of {:.6g}: {}", run.quality->epoch, run.epochs,
                          figure(run.quality->quality));
    if (run.rate > 0) {
      text += fmt::format("  {} {}/s", figure(run.rate), task.planned.unit);
      if (run.half_width > 0) text += " " + half_width_text(run.half_width);
    } else if (run.steps > 0) {
      text += "  warming up";
    } else {
      text += "  setting up";
    }
    draw(text + left(suite));
  }

 private:
  static std::size_t width() {
    winsize size{};
    return ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0 ? size.ws_col : 80;
  }

  void draw(std::string text) {
    text = printable(text, 4000);
    // A line that wraps could not be taken back.
    while (display_width(text) >= width() && !text.empty()) {
      text.pop_back();
      while (!text.empty() && (text.back() & 0xC0) == 0x80) text.pop_back();
    }
    write_diagnostics("\r\x1b[K" + text);
    drawn_ = true;
  }

  void clear() {
    if (drawn_) write_diagnostics("\r\x1b[K");
    drawn_ = false;
  }

  double last_ = 0;
  bool drawn_ = false;
};

class SilentProgress : public Progress {
 public:
  void say(const std::string&) override {}
  void started(const RunTask&, const SuiteView&) override {}
  void running(const RunTask&, const RunView&, const SuiteView&) override {}
  void finished(const RunRecord&, const SuiteView&) override {}
};

}  // namespace

std::unique_ptr<Progress> make_progress(bool live) {
  if (live) return std::make_unique<LiveProgress>();
  return std::make_unique<PlainProgress>();
}

std::unique_ptr<Progress> silent_progress() {
  return std::make_unique<SilentProgress>();
}

}  // namespace trainmark
