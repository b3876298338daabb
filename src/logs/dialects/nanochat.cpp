#include "logs/grammar/dialect.h"
#include "logs/grammar/duration.h"

// nanochat and build-nanogpt, the lecture's script, with their many copies. `dt` is the time of one
// step, in milliseconds, and `tok/sec` counts all ranks. A `dt` in seconds is another program's,
// and may be that of many steps.

namespace trainmark {

namespace {

/// 110646.69, or 22,571: no decimals stand behind commas here.
bool take_tokens_per_second(Cursor& line, double& rate) {
  if (line.number(rate)) return true;
  std::int64_t whole = 0;
  if (!line.whole(whole)) return false;
  rate = static_cast<double>(whole);
  return true;
}

bool read_step(Cursor& line, Record& record) {
  for (const char* key : {"step", "Step"}) {
    if (!begin_record(line, record, key)) continue;
    return line.whole(record.step);
  }
  return false;
}

bool read(Cursor& line, Record& record) {
  if (line.find("tok/s") == std::string_view::npos) return false;
  if (!read_step(line, record)) return false;
  take_loss(line, record, "loss:");
  if (!line.skip_to("dt:") || !take_milliseconds(line, record.seconds)) return false;
  if (!line.skip_to("tok/sec:") && !line.skip_to("tok/s:")) return false;
  double rate = not_known;
  if (!take_tokens_per_second(line, rate)) return false;
  record.items = rate * record.seconds;
  double percent = 0;
  if (line.skip_to("mfu:") && line.number(percent)) record.mfu = percent / 100;
  line.move_to(line.line().size());
  return true;
}

const Registration<Dialect> registered(
    "nanochat",
    {.summary = "nanochat, build-nanogpt",
     .sample = "step 00020/01000 (2.00%) | loss: 8.500000 | lrm: 1.00 | dt: 512.50ms | tok/sec: "
               "1,023,000 | mfu: 40.00 | total time: 0.10m",
     .scope = Scope::job,
     .unit = "tokens/s",
     .unit_is_fixed = true,
     .field = "dt",
     .items_from = ItemsFrom::records,
     .counted = Counted::all_but_a_tenth,
     .quality = {{"val_bpb", "Validation bpb:"},
                 {"val_loss", "validation loss:"},
                 {"val_loss", "val loss:"},
                 {"CORE", "CORE metric:"}},
     .reader = stateless(read)});

}  // namespace

}  // namespace trainmark
