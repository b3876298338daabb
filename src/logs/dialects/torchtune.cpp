#include "logs/grammar/dialect.h"
#include "logs/grammar/intervals.h"
#include "logs/grammar/progress_bar.h"

// torchtune: the lines of its disk logger, `Step 20 | loss:2.5 … tokens_per_second_per_gpu:1234.5`,
// or the bar `1|20|Loss: 2.5`. The first tell the tokens of one GPU, the second steps.

namespace trainmark {

namespace {

struct State {
  BarFollower follower{/*pauses=*/false};
  bool has_lines = false;
};

bool read_line(Cursor& line, Record& record) {
  if (!begin_record(line, record, "Step ") || !line.whole(record.step)) return false;
  if (!line.literal(" | ")) return false;
  take_loss(line, record, "loss:");
  Cursor memory = line;
  double gibibytes = 0;
  if (memory.skip_to("peak_memory_alloc:") && memory.number(gibibytes))
    record.memory = gibibytes * 0x1p30;
  return line.skip_to("tokens_per_second_per_gpu:") && line.number(record.rate);
}

/// `1|20|Loss: 2.5`.
bool read_title(std::string_view title, Record& record) {
  Cursor cursor(title);
  const std::size_t found = title.find("|Loss: ");
  if (found == std::string_view::npos || !cursor.skip_to("|Loss: ")) return false;
  record.has_loss = cursor.loss(record.loss);
  std::size_t begin = found;
  while (begin > 0 &&
         (title[begin - 1] == '|' || (title[begin - 1] >= '0' && title[begin - 1] <= '9')))
    --begin;
  cursor.move_to(begin);
  std::int64_t step = 0;
  return record.has_loss && cursor.whole(record.epoch) && cursor.literal("|") && cursor.whole(step);
}

bool read(Cursor& line, Record& record, State& state) {
  const Cursor begin = line;
  if (read_line(line, record)) {
    state.has_lines = true;
    return true;
  }
  line = begin;
  record = Record();
  BarState bar;
  while (!state.has_lines && take_bar(line, bar)) {
    if (!bar.counts_steps() || !read_title(bar.title, record)) continue;
    record.begin = static_cast<std::uint32_t>(bar.begin);
    record.step = bar.done;
    if (state.follower.take(record.epoch, bar, record)) return true;
  }
  return false;
}

RecordReader make_reader() {
  return
      [state = State()](Cursor& line, Record& record) mutable { return read(line, record, state); };
}

const Registration<Dialect> registered(
    "torchtune",
    {.summary = "torchtune",
     .sample =
         "Step 20 | loss:2.5 lr:2e-05 tokens_per_second_per_gpu:1234.5 peak_memory_alloc:20.5",
     .scope = Scope::rank,
     .unit = "tokens/s",
     .unit_is_fixed = true,
     .field = "tokens_per_second_per_gpu",
     .items_from = ItemsFrom::records,
     .counted = Counted::all_but_a_tenth,
     .reader = make_reader});

}  // namespace

}  // namespace trainmark
