#include "logs/grammar/progress_bar.h"

#include <algorithm>
#include <array>

#include "base/text.h"
#include "logs/grammar/duration.h"

namespace trainmark {

namespace {

// The heavy line of rich and Ultralytics, in UTF-8.
constexpr std::string_view heavy_line = "\xe2\x94\x81";

// A state that is drawn twice may meet the clock's next second in between.
constexpr double shortest_pause = 2;
// The clocks of several ranks, whose bars stand in one log, differ by less than this share.
constexpr double clocks_differ = 0.25;

/// `10/50`, or `10/?`; counts of millions may have units (`1.2k/5.0k`), and these are none of
/// steps.
bool take_counts(Cursor& line, BarState& bar) {
  if (!line.whole(bar.done) || !line.literal("/")) return false;
  bar.total = -1;
  if (line.literal("?")) return true;
  return !line.rest().starts_with(" ") && line.whole(bar.total);
}

/// What stands before the percentage that ends at `end`.
void set_title(std::string_view line, std::size_t from, std::size_t end, BarState& bar) {
  std::size_t begin = end;
  while (begin > from && line[begin - 1] >= '0' && line[begin - 1] <= '9') --begin;
  std::string_view title = trim(line.substr(from, begin - from));
  if (title.ends_with(":")) title.remove_suffix(1);
  bar.title = trim(title);
  bar.begin = from;
}

bool is_bar_letter(char letter) {
  return (letter >= 'a' && letter <= 'z') || (letter >= 'A' && letter <= 'Z') || letter == '_';
}

/// Letters of a unit, behind at most one space.
std::string_view take_unit(Cursor& line) {
  line.literal(" ");
  const std::string_view rest = line.rest();
  std::size_t end = 0;
  while (end < rest.size() && is_bar_letter(rest[end])) ++end;
  line.move_to(line.place() + end);
  return rest.substr(0, end);
}

/// `2.00it/s`, `1.50s/it`, `80.0 examples/s`, `?it/s` before the first, `12.5MB/s`.
void take_rate(Cursor& line, BarState& bar) {
  const std::size_t before = line.place();
  double value = 0;
  if (!line.literal("?") && !line.number(value)) return;
  const std::string_view first = take_unit(line);
  const bool any = line.literal("/");
  const std::string_view second = any ? take_unit(line) : "";
  if (any && second == "s") {
    bar.unit = first;
  } else if (any && first == "s") {
    bar.unit = second;
  } else {
    line.move_to(before);
  }
}

/// tqdm: `20%|##   | 10/50 [00:10<00:40, 1.0it/s`, or `Epoch 0: |     | 10/?
/// [00:10<00:00, 1.0it/s`.
bool take_tqdm(Cursor& line, BarState& bar, std::string_view begin) {
  const std::size_t from = line.place();
  while (line.skip_to(begin)) {
    const std::size_t percent = line.place() - 2 + (begin.front() == ':' ? 1 : 0);
    if (!line.skip_to("| ")) return false;
    if (!take_counts(line, bar) || !line.literal(" [")) continue;
    if (!take_duration(line, bar.elapsed) || !line.literal("<")) continue;
    set_title(line.line(), from, percent, bar);
    bar.unit = {};
    if (line.skip_to(", ")) take_rate(line, bar);
    return true;
  }
  return false;
}

/// Ultralytics: `25% ━━── 10/40 4.2it/s 2.5s<7.1s`; the last state has no time that is left.
bool take_ultralytics(Cursor& line, BarState& bar) {
  const std::size_t from = line.place();
  if (!line.skip_to("% \xe2\x94")) return false;
  const std::size_t percent = line.place() - 4;
  const std::size_t end = line.line().rfind("\xe2\x94");
  line.move_to(end + heavy_line.size());
  if (!take_counts(line, bar)) return false;
  bar.unit = {};
  take_rate(line, bar);
  if (!take_duration(line, bar.elapsed)) return false;
  line.literal("s");
  set_title(line.line(), from, percent, bar);
  return true;
}

/// rich, as Lightning sets it up: `Epoch 0/9 ━━━━ 10/40 0:00:02 • 0:00:07 4.20it/s`.
bool take_rich(Cursor& line, BarState& bar) {
  const std::size_t from = line.place();
  const std::size_t begin = line.find(heavy_line);
  if (begin == std::string_view::npos) return false;
  line.move_to(line.line().rfind(heavy_line) + heavy_line.size());
  if (!take_counts(line, bar) || !line.literal(" ")) return false;
  if (!take_duration(line, bar.elapsed) || !line.literal(" \xe2\x80\xa2 ")) return false;
  bar.unit = {};
  set_title(line.line(), from, begin, bar);
  return true;
}

}  // namespace

bool BarState::counts_steps() const {
  static constexpr std::array<std::string_view, 14> steps = {
      "",     "it",    "its", "iter",  "iters",   "iteration", "iterations",
      "step", "steps", "ba",  "batch", "batches", "update",    "updates"};
  return std::find(steps.begin(), steps.end(), unit) != steps.end();
}

bool take_bar(Cursor& line, BarState& bar) {
  const std::size_t before = line.place();
  if (take_tqdm(line, bar, "%|")) return true;
  line.move_to(before);
  if (take_tqdm(line, bar, ": |")) return true;
  if (line.line().find("\xe2\x94", before) == std::string_view::npos) return false;
  line.move_to(before);
  if (take_ultralytics(line, bar)) return true;
  line.move_to(before);
  if (take_rich(line, bar)) return true;
  line.move_to(before);
  return false;
}

void BarFollower::begin(std::int64_t epoch, const BarState& bar) {
  // Who begins an epoch again, or an earlier one, may have been resumed in the middle of it.
  resumes_ = bar.total == total_ && epoch <= epoch_;
  epoch_ = epoch;
  total_ = bar.total;
  untold_ += done_ - told_;
  done_ = told_ = 0;
  elapsed_ = told_elapsed_ = 0;
}

void BarFollower::go_to(const BarState& bar) {
  done_ = told_ = bar.done;
  elapsed_ = told_elapsed_ = bar.elapsed;
  states_ = 0;
}

bool BarFollower::skip(std::int64_t epoch, const BarState& bar) {
  if (epoch != epoch_ || bar.total != total_ || bar.done <= done_) return false;
  go_to(bar);
  return true;
}

bool BarFollower::take(std::int64_t epoch, const BarState& bar, Record& record) {
  const bool same = epoch == epoch_ && bar.total == total_;
  const bool clock_began_again =
      bar.done > done_ && bar.elapsed + 1 < (1 - clocks_differ) * elapsed_;
  if (!same || bar.done < done_ || clock_began_again) begin(epoch, bar);
  if (resumes_ && bar.done > 0) {
    go_to(bar);
    untold_ = 0;
    resumes_ = false;
    return false;
  }
  if (bar.done == done_) {
    if (pauses_ && bar.elapsed > elapsed_ + shortest_pause) {
      told_elapsed_ += bar.elapsed - elapsed_;
      elapsed_ = bar.elapsed;
    }
    return false;
  }
  done_ = bar.done;
  elapsed_ = bar.elapsed;
  ++states_;
  const double seconds = elapsed_ - told_elapsed_;
  if (!positive(seconds)) return false;
  record.steps = static_cast<double>(done_ - told_ + untold_);
  record.seconds = seconds / record.steps;
  record.weight = static_cast<float>(states_);
  told_ = done_;
  told_elapsed_ = elapsed_;
  untold_ = 0;
  states_ = 0;
  return true;
}

}  // namespace trainmark
