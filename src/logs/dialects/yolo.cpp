#include <array>

#include "logs/grammar/dialect.h"
#include "logs/grammar/progress_bar.h"

// Ultralytics and YOLOv5 to v7: a bar an epoch, titled `3/299  13.5G  0.12  0.03  …  640`. Columns
// differ by task and version; epoch and memory come first. The batch size, which counts all GPUs,
// stands in the line of arguments.

namespace trainmark {

namespace {

struct State {
  BarFollower follower{/*pauses=*/false};
  double batch = not_known;
};

/// The first word at or behind `place`, which is moved behind it.
std::string_view take_word(std::string_view text, std::size_t& place) {
  while (place < text.size() && text[place] == ' ') ++place;
  const std::size_t begin = place;
  while (place < text.size() && text[place] != ' ') ++place;
  return text.substr(begin, place - begin);
}

/// `3/299`.
bool read_epoch(std::string_view word, std::int64_t& epoch) {
  Cursor cursor(word);
  std::int64_t last = 0;
  return cursor.whole(epoch) && cursor.literal("/") && cursor.whole(last) && cursor.rest().empty();
}

/// `13.5G`, or `0G` on a CPU.
bool read_memory(std::string_view word, double& bytes) {
  Cursor cursor(word);
  double value = 0;
  if (!cursor.number(value) || (cursor.rest() != "G" && cursor.rest() != "M")) return false;
  bytes = value * (cursor.rest() == "G" ? 1e9 : 1e6);
  return true;
}

bool read_title(std::string_view title, Record& record) {
  std::size_t place = 0;
  for (std::string_view word = take_word(title, place); !word.empty();) {
    const std::string_view next = take_word(title, place);
    if (read_epoch(word, record.epoch) && read_memory(next, record.memory)) {
      // The first loss, and at least two more columns.
      std::string_view column = take_word(title, place);
      Cursor cursor(column);
      record.has_loss = cursor.loss(record.loss);
      return record.has_loss && !take_word(title, place).empty();
    }
    word = next;
  }
  return false;
}

/// `batch=16` of the arguments of Ultralytics, `batch_size=16` of YOLOv5 and v7; -1 means that the
/// program looks for it.
void read_header(const Cursor& line, State& state) {
  const bool arguments = line.find("trainer: ") != std::string_view::npos ||
                         line.find("train: weights") != std::string_view::npos ||
                         line.find("Namespace(") != std::string_view::npos ||
                         line.find("AutoBatch: Using batch-size ") != std::string_view::npos;
  if (!arguments) return;
  for (const std::string_view key :
       {"total_batch_size=", " batch=", " batch_size=", "(batch_size=", "Using batch-size "}) {
    Cursor cursor = line;
    std::int64_t batch = 0;
    if (!cursor.skip_to(key) || !cursor.whole(batch) || batch < 1) continue;
    state.batch = static_cast<double>(batch);
    return;
  }
}

bool read(Cursor& line, Record& record, State& state) {
  BarState bar;
  bool any = false;
  while (take_bar(line, bar)) {
    any = true;
    if (!bar.counts_steps() || !read_title(bar.title, record)) continue;
    record.begin = static_cast<std::uint32_t>(bar.begin);
    record.step = bar.done;
    record.items = state.batch;
    if (state.follower.take(record.epoch, bar, record)) return true;
  }
  if (!any) read_header(line, state);
  return false;
}

RecordReader make_reader() {
  return
      [state = State()](Cursor& line, Record& record) mutable { return read(line, record, state); };
}

/// `all  306  10187  0.909  0.892  0.945  0.507`: the last two of the row of all classes, as its
/// head says, are mAP50 and mAP50-95. `30 epochs completed in 0.5 hours.` ends it.
void read_quality(std::string_view text, const QualityKeeper& keep) {
  constexpr std::size_t most_numbers = 6;
  Cursor line(text);
  line.skip_separators();
  if (line.literal("all ")) {
    std::array<double, most_numbers> numbers{};
    std::size_t count = 0;
    for (double number = 0; count < most_numbers && (line.skip_separators(), line.number(number));)
      numbers[count++] = number;
    if (count < most_numbers) return;
    keep("mAP50", numbers[4]);
    keep("mAP50-95", numbers[5]);
    return;
  }
  double hours = 0;
  if (line.skip_to(" epochs completed in ") && line.number(hours) && line.literal(" hours"))
    keep("time_to_train", hours * 3600);
}

const Registration<Dialect> registered(
    "yolo",
    {.summary = "Ultralytics, YOLOv5 to v7",
     .sample =
         "train: weights=yolo.pt, cfg=, data=data.yaml, epochs=300, batch_size=16, imgsz=640\n"
         "      0/299      4.5G     0.1213    0.03328    0.01250        120        640:   4%|4"
         "         | 20/500 [00:10<04:00,  2.00it/s]",
     .scope = Scope::job,
     .unit = "images/s",
     .unit_is_fixed = true,
     .field = "it/s",
     .items_from = ItemsFrom::records,
     .counted = Counted::all_but_a_tenth,
     .decoys = {"Class     Images"},
     .quality_reader = [] { return QualityReader(read_quality); },
     .reader = make_reader});

}  // namespace

}  // namespace trainmark
