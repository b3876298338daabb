#include "logs/grammar/dialect.h"
#include "logs/grammar/duration.h"

// llm.c and its twin in Python. The tokens per second are smoothed and no measure of their own
// line: the batch comes from the header or the command line, else from the first record, where
// nothing has been smoothed yet.

namespace trainmark {

namespace {

struct State {
  double tokens = not_known;     // of a step, as the header says
  double by_record = not_known;  // of a step, as the first record says
};

void read_header(const Cursor& line, State& state) {
  const auto said = [&](std::string_view key) {
    Cursor cursor = line;
    std::int64_t tokens = 0;
    if (!cursor.skip_to(key)) return;
    while (cursor.literal(" ") || cursor.literal("|")) {
    }
    if (cursor.whole(tokens) && tokens > 0) state.tokens = static_cast<double>(tokens);
  };
  said("| total batch size");
  said("total desired batch size");
  if (line.find("train_gpt2") != std::string_view::npos) said(" -d ");
}

bool read(Cursor& line, Record& record, State& state) {
  if (!begin_record(line, record, "step ")) return false;
  std::int64_t last = 0;
  if (!line.whole(record.step) || !line.literal("/") || !line.whole(last)) return false;
  if (!line.literal(" |") && !line.literal(":")) return false;
  take_loss(line, record, "loss ");
  // The time is the first number with `ms` behind it.
  while (line.place() < line.line().size()) {
    if (take_time(line, record.seconds)) break;
    line.move_to(line.place() + 1);
    if (!line.skip_to("|") && !line.skip_to("(")) return false;
  }
  double share = 0;
  Cursor behind = line;
  if (behind.skip_to("| ") && behind.number(share) && behind.literal("% "))
    record.mfu = share / 100;
  const std::size_t unit = line.find(" tok/s");
  if (unit == std::string_view::npos) return positive(record.seconds);
  std::size_t begin = unit;
  while (begin > 0 && line.line()[begin - 1] != ' ') --begin;
  line.move_to(begin);
  double rate = 0;
  if (line.number(rate) && !positive(state.by_record)) state.by_record = rate * record.seconds;
  record.items = positive(state.tokens) ? state.tokens : state.by_record;
  line.move_to(unit);
  return positive(record.seconds);
}

RecordReader make_reader() {
  return [state = State()](Cursor& line, Record& record) mutable {
    if (read(line, record, state)) return true;
    read_header(line, state);
    return false;
  };
}

const Registration<Dialect> registered(
    "llmc", {.summary = "llm.c",
             .sample = "| total batch size      | 524288                         |\n"
                       "step   20/1000 | loss 8.500000 (+0.50z)| norm 1.5000 (-0.25z)| lr 1.00e-05 "
                       "| 512.50 ms | 40.0% bf16 MFU | 1023000 tok/s",
             .scope = Scope::job,
             .unit = "tokens/s",
             .unit_is_fixed = true,
             .field = "tok/s",
             .items_from = ItemsFrom::records,
             .counted = Counted::all_but_a_tenth,
             .quality = {{"val_loss", "val loss "}, {"HellaSwag", "HellaSwag: "}},
             .reader = make_reader});

}  // namespace

}  // namespace trainmark
