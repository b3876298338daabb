#include <optional>

#include "logs/grammar/dialect.h"
#include "logs/grammar/duration.h"

// llm.c, its twin in Python and the program for CPUs, which prints a time and nothing else. The
// tokens per second are smoothed and no measure of their own line: the batch comes from the header
// or the command line, else from the first record, where nothing has been smoothed yet.

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

enum class LlmcDevice { gpu, cpu };

/// `20/1000 | loss 8.5 (+0.5z)| norm 1.5 (-0.25z)| lr 1e-05 | …`, `20/1000: train loss 8.5 …`,
/// `20/1000 | train loss 8.5 | …`, or on a CPU `20: train loss 8.5 …`. A step, a loss and a time
/// are what everybody prints: the words between them are llm.c's own.
std::optional<LlmcDevice> read_step(Cursor& line, Record& record) {
  if (!begin_record(line, record, "step ") || !line.whole(record.step)) return std::nullopt;
  std::int64_t last = 0;
  const bool of_many = line.literal("/");
  if (of_many && !line.whole(last)) return std::nullopt;
  const bool named = line.literal(": train loss ") || line.literal(" | train loss ");
  if (!named && !line.literal(" | loss ")) return std::nullopt;
  record.has_loss = line.loss(record.loss);
  if (!record.has_loss) return std::nullopt;
  if (!named && !(line.skip_to("z)| norm ") && line.skip_to("z)| lr "))) return std::nullopt;
  return of_many ? LlmcDevice::gpu : LlmcDevice::cpu;
}

/// `| 512.50 ms |`, `(512.50 ms`, or on a CPU `(took 512.50 ms)`.
bool take_time_behind_loss(Cursor& line, LlmcDevice device, double& seconds) {
  for (;;) {
    const std::size_t next = line.line().find_first_of("|(", line.place());
    if (next == std::string_view::npos) return false;
    line.move_to(next + 1);
    const bool took = line.literal("took ");
    if (took == (device == LlmcDevice::cpu) && take_milliseconds(line, seconds))
      return positive(seconds);
  }
}

/// The number in front of ` tok/s`.
bool take_smoothed_rate(Cursor& line, double& rate) {
  const std::size_t unit = line.find(" tok/s");
  if (unit == std::string_view::npos) return false;
  std::size_t begin = unit;
  while (begin > 0 && line.line()[begin - 1] != ' ') --begin;
  line.move_to(begin);
  return line.number(rate) && positive(rate);
}

bool read(Cursor& line, Record& record, State& state) {
  const std::optional<LlmcDevice> device = read_step(line, record);
  if (!device || !take_time_behind_loss(line, *device, record.seconds)) return false;
  double share = 0;
  Cursor behind = line;
  if (behind.skip_to("| ") && behind.number(share) && behind.literal("% "))
    record.mfu = share / 100;
  if (*device == LlmcDevice::cpu) return true;
  double rate = 0;
  if (!take_smoothed_rate(line, rate)) return false;
  if (!positive(state.by_record)) state.by_record = rate * record.seconds;
  record.items = positive(state.tokens) ? state.tokens : state.by_record;
  return true;
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
