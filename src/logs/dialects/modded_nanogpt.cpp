#include "logs/grammar/dialect.h"
#include "logs/grammar/duration.h"
#include "logs/grammar/intervals.h"

// modded-nanogpt and its kin. `train_time` is cumulative: two records tell what lies between. The
// clock is set back after the first ten steps. Lines of validation repeat the step. The program
// prints its own text at the top of the log, where the batch stands.

namespace trainmark {

namespace {

struct State {
  std::int64_t step = -1;
  double elapsed = not_known;
  double sequences = not_known;  // of a step
  double length = not_known;     // of a sequence, in tokens
  double tokens = not_known;     // of a step
};

/// `8*64`, as it stands in the program's text.
bool take_product(Cursor& line, double& value) {
  double product = 0;
  if (!line.number(product)) return false;
  double factor = 0;
  while ((line.literal("*") || line.literal(" * ")) && line.number(factor)) product *= factor;
  value = product;
  return true;
}

void read_header(const Cursor& line, State& state) {
  const auto said = [&](std::string_view key, double& place) {
    Cursor cursor = line;
    if (!cursor.skip_to(key)) return;
    if (!cursor.literal(" : int")) cursor.literal(": int");
    take_product(cursor, place);
  };
  said("train_batch_tokens", state.tokens);
  if (line.line().starts_with("    ")) {
    said("    batch_size", state.sequences);
    said("    sequence_length", state.length);
    said("    train_batch_size", state.tokens);
  }
}

double tokens_of_step(const State& state) {
  return positive(state.tokens) ? state.tokens : state.sequences * state.length;
}

bool read(Cursor& line, Record& record, State& state) {
  while (begin_record(line, record, "step:")) {
    if (record.begin > 0 && line.line()[record.begin - 1] == '_') continue;  // `warmup_step:`
    if (!line.whole(record.step) || !line.literal("/")) continue;
    const bool validation = line.find("val_loss:") != std::string_view::npos;
    take_loss(line, record, "train_loss:");
    double elapsed = 0;
    if (!line.skip_to("train_time:") || !take_milliseconds(line, elapsed)) continue;
    if (validation) return false;
    const double steps = static_cast<double>(record.step - state.step);
    const double seconds = elapsed - state.elapsed;
    const bool goes_on = state.step >= 0 && steps > 0 && positive(seconds);
    // The first step of a program whose log begins with it.
    const bool first = state.step < 0 && record.step == 1 && positive(elapsed);
    state.step = record.step;
    state.elapsed = elapsed;
    if (!goes_on && !first) return false;
    set_stretch(record,
                first ? Stretch{1, elapsed, not_known} : Stretch{steps, seconds, not_known});
    record.items = tokens_of_step(state);
    return true;
  }
  read_header(line, state);
  return false;
}

RecordReader make_reader() {
  return
      [state = State()](Cursor& line, Record& record) mutable { return read(line, record, state); };
}

const Registration<Dialect> registered(
    "modded_nanogpt",
    {.summary = "modded-nanogpt",
     .sample = "train_batch_tokens:524288 train_seq_len:1024\n"
               "step:1/1000 train_loss:10.8125 train_time:512ms step_avg:512.00ms",
     .scope = Scope::job,
     .unit = "tokens/s",
     .unit_is_fixed = true,
     .field = "step_avg",
     .items_from = ItemsFrom::records,
     .counted = Counted::all_but_a_tenth,
     .quality = {{"val_loss", "val_loss:"}, {"val_bpb", "val_bpb:"}},
     .reader = make_reader});

}  // namespace

}  // namespace trainmark
