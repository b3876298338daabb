#include <utility>

#include "logs/grammar/dialect.h"
#include "logs/grammar/duration.h"
#include "logs/grammar/measures.h"
#include "logs/grammar/progress_bar.h"

// Hugging Face's Trainer, and what is built on it (TRL, LLaMA-Factory, ms-swift, axolotl, Unsloth):
// its bar, the dictionaries it prints, and the files it leaves (trainer_state.json,
// all_results.json, trainer_log.jsonl). Anybody's bar of tqdm looks like its own, so that a log
// must have another line of the Trainer's, too. The bars of evaluations have no title either: they
// run while that of the training waits, or behind it. Where no header says its length, losses do:
// they are printed over the bar of the training. The summary is printed by every rank, and counts
// evaluation and saving.

namespace trainmark {

namespace {

struct Counts {
  std::int64_t total = -1;
  std::int64_t done = 0;

  bool any() const { return total > 0; }
  bool is_under_way() const { return done < total; }
};

struct State {
  BarFollower follower{/*pauses=*/false};
  Counts training;             // its bar
  Counts other;                // the last bar that was taken for none of the training
  std::int64_t pass = 0;       // how often the bar of the training has begun again
  bool total_is_said = false;  // by the header
  bool has_losses = false;     // were printed over this bar
  bool begins_run = false;     // the next record does
  bool discards = false;       // likewise
  double batch = not_known;    // of all ranks, accumulated
  bool has_bar = false;
  double memory = not_known;              // bytes, as ms-swift prints it beside the loss
  BarFollower elapsed{/*pauses=*/false};  // of lines that tell the time since the start
};

/// A value behind `'name': `, `"name": ` or `name = `; texts are values as well.
bool skip_to_value(Cursor& line, std::string_view name) {
  while (line.skip_to(name)) {
    const std::size_t begin = line.place() - name.size();
    const char before = begin == 0 ? ' ' : line.line()[begin - 1];
    if (before != ' ' && before != '\'' && before != '"' && before != '\t') continue;
    if (!line.literal("'")) line.literal("\"");
    line.skip_separators();
    if (!line.literal("'")) line.literal("\"");
    return true;
  }
  return false;
}

void read_header(const Cursor& line, State& state) {
  const auto said = [&](std::string_view key, std::int64_t& value) {
    Cursor cursor = line;
    return cursor.skip_to(key) && cursor.whole(value) && value > 0;
  };
  std::int64_t value = 0;
  if (said("Total train batch size (w. parallel, distributed & accumulation)", value))
    state.batch = static_cast<double>(value);
  // `Total batch size (2 x 4 x 1) = 8` of Unsloth, which has its own words for all of these.
  if (Cursor cursor = line; cursor.skip_to("Total batch size (") && cursor.skip_to(") = ") &&
                            cursor.whole(value) && value > 0)
    state.batch = static_cast<double>(value);
  if (said("Total batch size = ", value)) state.batch = static_cast<double>(value);
  if (said("Total optimization steps", value) || said("| Total steps", value)) {
    state.training = {value, 0};
    state.pass = 0;
    state.total_is_said = true;
  }
}

/// A training that has run through has come further than this in its epochs.
constexpr double early_epoch = 0.5;

/// `{'loss': 2.5, 'epoch': 0.1}` and `{'train_runtime': 100.5}` belong to a training.
void read_losses(const Cursor& line, State& state) {
  if (state.total_is_said || line.find("{'") == std::string_view::npos) return;
  if (line.find("{'eval_") != std::string_view::npos) state.other = {};
  const bool ends = line.find("train_runtime") != std::string_view::npos;
  if (!ends && line.find("{'loss': ") == std::string_view::npos) return;
  Counts& training = state.training;
  if (!ends && !training.is_under_way() && state.other.is_under_way()) {
    training = std::exchange(state.other, {});  // the next training
    state.pass = 0;
    state.begins_run = true;
  }
  // What ended before the first loss of an epoch's beginning was something else.
  Cursor cursor = line;
  double epoch = not_known;
  const bool early = skip_to_value(cursor, "epoch") && cursor.number(epoch) && epoch < early_epoch;
  if (training.any() && (ends || training.is_under_way() || !early)) state.has_losses = true;
}

/// `'memory(GiB)': 45.2`.
void read_memory(Cursor line, State& state) {
  double gibibytes = 0;
  if (skip_to_value(line, "memory(GiB)") && line.number(gibibytes) && positive(gibibytes))
    state.memory = gibibytes * 0x1p30;
}

bool is_title(std::string_view title) {
  if (title.empty()) return true;
  for (const char* end : {"Train", "Training", "Steps"})
    if (title.ends_with(end)) return true;
  // What another stream or a launcher has put in front of it: `{'loss': 2.5}`, `>>`, `[rank0]`,
  // `0`.
  const char last = title.back();
  const bool marked = last == '}' || last == '>' || last == ']';
  return marked || title.find_first_not_of("0123456789") == std::string_view::npos;
}

/// Is it the bar of the training? Where the header does not say its length, the first that has one,
/// until it has ended without a loss.
bool is_training(const BarState& bar, State& state) {
  if (!is_title(bar.title) || bar.total < 2 || !bar.counts_steps()) return false;
  Counts& training = state.training;
  if (bar.total == training.total) {
    // One bar per epoch: the training goes on.
    if (!state.total_is_said && !training.is_under_way() && bar.done < training.done) ++state.pass;
    training.done = bar.done;
    state.other = {};
    return true;
  }
  const bool another = state.total_is_said || state.has_losses || training.is_under_way();
  if (another) {
    state.other = {bar.total, bar.done};
    return false;
  }
  if (training.any()) state.begins_run = state.discards = true;
  training = {bar.total, bar.done};
  return true;
}

bool read_bar(Cursor& line, Record& record, State& state) {
  BarState bar;
  while (take_bar(line, bar)) {
    if (!is_training(bar, state)) continue;
    state.has_bar = true;
    record.begin = static_cast<std::uint32_t>(bar.begin);
    record.step = bar.done;
    record.epoch = state.pass;
    record.items = state.batch;
    record.memory = state.memory;
    if (!state.follower.take(state.pass, bar, record)) continue;
    record.begins_run = std::exchange(state.begins_run, false);
    record.discards = std::exchange(state.discards, false);
    return true;
  }
  return false;
}

/// `"current_steps": 5, … "elapsed_time": "0:32:48"` of LLaMA-Factory, or `'global_step/max_steps':
/// '5/100', … 'elapsed_time': '1m 22s'` of ms-swift.
bool read_elapsed(Cursor& line, Record& record, State& state) {
  Cursor time = line;
  BarState bar;
  bar.total = 0;
  if (state.has_bar || !skip_to_value(time, "elapsed_time")) return false;
  if (!take_duration(time, bar.elapsed)) return false;
  Cursor step = line;
  if (!skip_to_value(step, "current_steps")) {
    step = line;
    if (!skip_to_value(step, "global_step/max_steps")) return false;
  }
  if (!step.whole(bar.done)) return false;
  record.step = bar.done;
  record.items = state.batch;
  record.memory = state.memory;
  Cursor loss = line;
  if (skip_to_value(loss, "loss")) record.has_loss = loss.loss(record.loss);
  line.move_to(line.line().size());
  return state.elapsed.take(0, bar, record);
}

bool read_summary(Cursor& line, Record& record) {
  if (!skip_to_value(line, "train_samples_per_second")) return false;
  record.kind = RecordKind::summary;
  record.begin = static_cast<std::uint32_t>(line.place());
  return line.number(record.rate) && positive(record.rate);
}

bool read(Cursor& line, Record& record, State& state) {
  if (line.place() == 0) {
    read_header(line, state);
    read_memory(line, state);
    read_losses(line, state);
  }
  const Cursor begin = line;
  if (read_bar(line, record, state)) return true;
  line = begin;
  record = Record();
  if (line.find("elapsed_time") != std::string_view::npos && read_elapsed(line, record, state))
    return true;
  line = begin;
  record = Record();
  return read_summary(line, record);
}

RecordReader make_reader() {
  return
      [state = State()](Cursor& line, Record& record) mutable { return read(line, record, state); };
}

/// A line that no other program prints: the header, a dictionary of losses, the summary.
bool is_mark(std::string_view line) {
  const Cursor cursor(line);
  const auto has = [&](std::string_view text) {
    return cursor.find(text) != std::string_view::npos;
  };
  if (has("train_runtime") || has("train_samples_per_second")) return true;
  if (has("Total train batch size (w. parallel") || has("Total optimization steps") ||
      has("| Total batch size") || has("***** Running training *****"))
    return true;
  if (has("\"current_steps\"") || has("'global_step/max_steps'")) return true;
  return (has("{'loss': ") || has("{'eval_loss': ")) && has("'epoch': ");
}

/// `'eval_f1': 0.8`, `"eval_wer": 32.5`: whatever the program evaluates.
void read_evaluation(std::string_view line, const QualityKeeper& keep) {
  if (line.find("eval_") == std::string_view::npos) return;
  find_measures(line, [&](std::string_view name, double value) {
    if (name.starts_with("eval_")) keep(name, value);
  });
}

const Registration<Dialect> registered(
    "hf_trainer",
    {.summary = "Hugging Face's Trainer",
     .sample = "  Total train batch size (w. parallel, distributed & accumulation) = 64\n"
               "  4%|4         | 20/500 [00:10<04:00,  2.00it/s]",
     .scope = Scope::job,
     .unit = "samples/s",
     .unit_is_fixed = true,
     .field = "train_samples_per_second",
     .items_from = ItemsFrom::records,
     .counted = Counted::all_but_a_tenth,
     .of_library = true,
     .is_mark = is_mark,
     .decoys = {"eval_samples_per_second", "Loading checkpoint shards"},
     .quality = {{"loss", "'loss':"},
                 {"train_loss", "'train_loss':"},
                 {"loss", "\"loss\":"},
                 {"train_loss", "\"train_loss\":"},
                 {"time_to_train", "'train_runtime': "},
                 {"time_to_train", "\"train_runtime\": "}},
     .quality_reader = [] { return QualityReader(read_evaluation); },
     .reader = make_reader});

}  // namespace

}  // namespace trainmark
