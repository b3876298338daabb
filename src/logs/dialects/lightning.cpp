#include "logs/grammar/dialect.h"
#include "logs/grammar/progress_bar.h"

// Lightning's bar of an epoch, by tqdm or rich. Validation runs while the count stands still, and
// that time is not counted; before 2.0 the count went on with the batches of the validation, which
// are no steps. The bar is set back before its epoch's number changes.

namespace trainmark {

namespace {

/// `Epoch 3`, or `Epoch 3/9` with rich, at the end of what stands in front of the bar.
bool read_title(std::string_view title, bool rich, Record& record) {
  const std::size_t begin = title.rfind("Epoch ");
  if (begin == std::string_view::npos) return false;
  Cursor cursor(title);
  cursor.move_to(begin + 6);
  std::int64_t last = 0;
  if (!cursor.whole(record.epoch)) return false;
  if (rich && cursor.literal("/") && !cursor.whole(last)) return false;
  cursor.skip_separators();
  return cursor.rest().empty();
}

struct State {
  BarFollower follower{/*pauses=*/true};
  std::int64_t validation_done = -1;  // of its bar, at its last state
  double validation_elapsed = 0;      // likewise
  bool validates = false;
  bool validation_ends = false;  // its bar is full: the next state of the epoch's bar is its last
};

/// `Validating: 10/250`, or `Validation DataLoader 0: 10/250`; not the few batches of the check
/// before the training, nor one that has ended and is drawn again.
void read_validation(const BarState& bar, State& state) {
  if (!bar.title.starts_with("Validat")) return;
  if (bar.title.find("sanity") != std::string_view::npos) return;
  if (bar.done == state.validation_done && bar.elapsed == state.validation_elapsed) return;
  state.validation_done = bar.done;
  state.validation_elapsed = bar.elapsed;
  state.validates = true;
  state.validation_ends = bar.total < 0 || bar.done >= bar.total;
}

/// A state of the epoch's bar: has it gone on with batches of the validation?
bool is_of_validation(const BarState& bar, std::int64_t epoch, State& state) {
  if (!state.validates) return false;
  const bool skipped = state.follower.skip(epoch, bar);
  state.validates = skipped && !state.validation_ends;
  return skipped;
}

bool read(Cursor& line, Record& record, State& state) {
  BarState bar;
  while (take_bar(line, bar)) {
    const bool rich = line.line().find("\xe2\x94\x81") != std::string_view::npos;
    read_validation(bar, state);
    if (!bar.counts_steps() || !read_title(bar.title, rich, record)) continue;
    if (is_of_validation(bar, record.epoch, state)) continue;
    record.begin = static_cast<std::uint32_t>(bar.begin);
    record.step = bar.done;
    for (const char* key : {"loss_step=", "loss=", "loss: "}) {
      if (!record.has_loss) take_loss(line, record, key);
    }
    if (state.follower.take(record.epoch, bar, record)) return true;
  }
  return false;
}

RecordReader make_reader() {
  return
      [state = State()](Cursor& line, Record& record) mutable { return read(line, record, state); };
}

const Registration<Dialect> registered(
    "lightning", {.summary = "Lightning",
                  .sample = "Epoch 0:   4%|4         | 20/500 [00:10<04:00,  2.00it/s, v_num=1, "
                            "train_loss_step=6.900]",
                  .scope = Scope::job,
                  .unit = "samples/s",
                  .unit_is_fixed = true,
                  .field = "it/s",
                  .items_from = ItemsFrom::records,
                  .counted = Counted::all_but_a_tenth,
                  .decoys = {"Validation DataLoader", "Validating:", "Sanity Checking"},
                  .reader = make_reader});

}  // namespace

}  // namespace trainmark
