#include "logs/grammar/dialect.h"
#include "logs/grammar/duration.h"

// nanoGPT, and LitGPT, which grew from it. The time is that of one iteration, in milliseconds,
// which holds the evaluation and the checkpoint where these happened. Lines alike with seconds are
// other programs', whose time may be that of all iterations since the last line, or since the
// start. Newer versions say in the header how many tokens an iteration has.

namespace trainmark {

namespace {

struct State {
  double tokens = not_known;  // of an iteration
};

bool read(Cursor& line, Record& record, State& state) {
  const std::size_t begin = line.place();
  Cursor header = line;
  std::int64_t tokens = 0;
  if (header.skip_to("tokens per iteration will be:") && header.whole(tokens) && tokens > 0)
    state.tokens = static_cast<double>(tokens);
  while (begin_record(line, record, "iter ")) {
    if (record.begin > begin && line.line()[record.begin - 1] > ' ') continue;  // `max_iter 5`
    if (!line.whole(record.step)) continue;
    const bool plain = line.literal(":") || line.literal(",") || line.literal(" |");
    take_loss(line, record, "loss");
    if (!record.has_loss) take_loss(line, record, "loss train");
    if (!plain && !record.has_loss) continue;
    if (!line.skip_to("time ") && !line.skip_to("time: ")) continue;
    if (!take_milliseconds(line, record.seconds)) continue;
    record.items = state.tokens;
    double percent = 0;
    if (line.skip_to("mfu") && line.number(percent)) record.mfu = percent / 100;
    return true;
  }
  return false;
}

RecordReader make_reader() {
  return
      [state = State()](Cursor& line, Record& record) mutable { return read(line, record, state); };
}

const Registration<Dialect> registered("nanogpt",
                                       {.summary = "nanoGPT",
                                        .sample = "tokens per iteration will be: 491,520\n"
                                                  "iter 20: loss 8.5000, time 512.50ms, mfu 40.00%",
                                        .scope = Scope::job,
                                        .unit = "tokens/s",
                                        .unit_is_fixed = true,
                                        .field = "time",
                                        .items_from = ItemsFrom::records,
                                        .counted = Counted::all_but_a_tenth,
                                        .mfu_peak = 312e12,  // of an A100
                                        .quality = {{"val_loss", "val loss "},
                                                    {"train_loss", "train loss "}},
                                        .reader = make_reader});

}  // namespace

}  // namespace trainmark
