#include "logs/grammar/dialect.h"
#include "logs/grammar/progress_bar.h"

// Lightning's bar of an epoch, by tqdm or rich. Validation runs while the count stands still, and
// that time is not counted; the bar is set back before its epoch's number changes.

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

bool read(Cursor& line, Record& record, BarFollower& follower) {
  BarState bar;
  while (take_bar(line, bar)) {
    const bool rich = line.line().find("\xe2\x94\x81") != std::string_view::npos;
    if (!bar.counts_steps() || !read_title(bar.title, rich, record)) continue;
    record.begin = static_cast<std::uint32_t>(bar.begin);
    record.step = bar.done;
    for (const char* key : {"loss_step=", "loss=", "loss: "}) {
      if (!record.has_loss) take_loss(line, record, key);
    }
    if (follower.take(record.epoch, bar, record)) return true;
  }
  return false;
}

RecordReader make_reader() {
  return [follower = BarFollower(/*pauses=*/true)](Cursor& line, Record& record) mutable {
    return read(line, record, follower);
  };
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
