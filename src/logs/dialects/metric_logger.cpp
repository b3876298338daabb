#include "logs/grammar/dialect.h"
#include "logs/grammar/duration.h"

// The metric logger of torchvision's references, DeiT, DINO, MAE, DETR and many more. `time` and
// `data` are means of the last 20 iterations, so a record stands for those since the one before.
// The batch size of the arguments is that of one process.

namespace trainmark {

namespace {

struct State {
  std::int64_t epoch = -2;
  std::int64_t step = -1;
};

/// The number that ends right before `end`.
bool whole_before(std::string_view text, std::size_t end, std::int64_t& value, std::size_t& begin) {
  begin = end;
  while (begin > 0 && text[begin - 1] >= '0' && text[begin - 1] <= '9') --begin;
  if (begin == end || end - begin > 15) return false;
  Cursor cursor(text.substr(begin, end - begin));
  return cursor.whole(value);
}

/// `Epoch: [3]  [ 20/500]` in front of the estimated time, read from behind; the epoch may be
/// missing.
bool read_place(std::string_view text, Record& record) {
  std::int64_t last = 0;
  std::size_t begin = 0;
  if (!text.ends_with("]") || !whole_before(text, text.size() - 1, last, begin)) return false;
  if (begin == 0 || text[begin - 1] != '/') return false;
  if (!whole_before(text, begin - 1, record.step, begin)) return false;
  const std::size_t open = text.substr(0, begin).rfind('[');
  if (open == std::string_view::npos) return false;
  const std::string_view title = text.substr(0, open);
  const std::size_t epoch = title.rfind(": [");
  for (const char* other : {"Test", "test", "Eval", "eval", "Val", "val", "Generat"})
    if (title.substr(title.size() > 60 ? title.size() - 60 : 0).find(other) != title.npos)
      return false;
  if (epoch == std::string_view::npos) {
    record.begin = static_cast<std::uint32_t>(open);
    return true;
  }
  Cursor cursor(title);
  cursor.move_to(epoch + 3);
  record.begin = static_cast<std::uint32_t>(epoch);
  return cursor.whole(record.epoch);
}

bool read(Cursor& line, Record& record, State& state) {
  const std::size_t from = line.place();
  const std::size_t found = line.find("  eta: ");
  if (found == std::string_view::npos) return false;
  line.move_to(found);
  if (!read_place(line.line().substr(from, found - from), record)) return false;
  record.begin += static_cast<std::uint32_t>(from);
  take_loss(line, record, " loss: ");
  if (!line.skip_to(" time: ") || !line.number(record.seconds)) return false;
  if (line.skip_to(" data: ")) line.number(record.input);
  if (line.skip_to("max mem: ")) take_bytes(line, record.memory, 0x1p20);
  const bool goes_on = record.epoch == state.epoch && record.step > state.step;
  if (record.epoch == state.epoch && record.step == state.step) return false;
  record.steps = static_cast<double>(record.step - (goes_on ? state.step : -1));
  state = {record.epoch, record.step};
  return true;
}

RecordReader make_reader() {
  return
      [state = State()](Cursor& line, Record& record) mutable { return read(line, record, state); };
}

const Registration<Dialect> registered(
    "metric_logger",
    {.summary = "the metric logger of DeiT, DINO, MAE, DETR, torchvision's references",
     .sample = "Epoch: [0]  [ 20/500]  eta: 0:05:00  lr: 0.000100  loss: 6.9000 (6.9500)  time: "
               "0.5000  data: 0.0100  max mem: 8000",
     .scope = Scope::job,
     .unit = "images/s",
     .unit_is_fixed = true,
     .field = "time",
     .items_from = ItemsFrom::rank_batch,
     .counted = Counted::all_but_a_tenth,
     .decoys = {"Test:"},
     .quality = {{"Acc@1", "Acc@1 "},
                 {"Acc@5", "Acc@5 "},
                 {"max_accuracy", "Max accuracy:"},
                 {"AP", "Average Precision  (AP) @[ IoU=0.50:0.95 | area=   all | maxDets=100 ]"},
                 {"time_to_train", "Training time "}},
     .reader = make_reader});

}  // namespace

}  // namespace trainmark
