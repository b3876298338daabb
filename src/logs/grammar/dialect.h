#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "base/registry.h"
#include "logs/grammar/confidence.h"
#include "logs/grammar/cursor.h"
#include "logs/grammar/record.h"

namespace trainmark {

/// Finds the next record at or behind the cursor, and moves behind it; false where the line holds
/// no (further) record. Called with every line of a log, in order.
using RecordReader = std::function<bool(Cursor& line, Record& record)>;

/// A number that says how good a model is, or how long it took to get there. Where a mean follows
/// in brackets (`Acc@1: 52.5 (68.5)`), that is it.
struct QualityKey {
  std::string name;  // in results: "val_loss"
  std::string key;   // the text in front of it: "val loss "
};

/// Takes what a line says of the model, by name; called with every line that holds no record, in
/// order. Times are in seconds, under names that begin with `time`.
using QualityKeeper = std::function<void(std::string_view name, double value)>;
using QualityReader = std::function<void(std::string_view line, const QualityKeeper& keep)>;

/// Where the number of items per step comes from, if not from the records.
enum class ItemsFrom {
  rank_batch,  // the header's batch size, which is that of one GPU
  job_batch,   // likewise, but it is that of all GPUs
  records      // nobody else
};

constexpr const char* steps_per_second_unit = "steps/s";

/// Which records the figure counts.
enum class Counted {
  steady,           // the longest steady suffix
  all_but_a_tenth,  // all but the first tenth, with every pause that they hold
};

/// What a program prints, and what it means. docs/dialects.md shows how to add one.
struct Dialect {
  std::string summary;  // the program, in a few words
  std::string sample;   // made-up lines, the last of which completes a record; tested to do so
  Scope scope = Scope::rank;
  std::string unit;            // of the rate, where the line itself does not say it
  bool unit_is_fixed = false;  // whatever the line itself says
  /// Where the number of items per step is unknown. Another one than this says that what is counted
  /// as steps is none: epochs, samples.
  std::string steps_unit = steps_per_second_unit;
  /// The name of the rate's field, or of the time's: what an author's rule takes unless it says so.
  std::string field;
  /// Which records the figure is made from: those of steps unless others say more.
  RecordKind headline = RecordKind::step;
  ItemsFrom items_from = ItemsFrom::rank_batch;
  Counted counted = Counted::steady;
  /// Others that read the same log know more of it: this one is for all users of a library.
  bool of_library = false;
  /// Where its records alone may be anybody's: is the line the program's own, beyond doubt? The
  /// dialect is found only in logs that have such a line.
  bool (*is_mark)(std::string_view line) = nullptr;
  bool batch_is_global = false;  // the header's batch size counts all GPUs
  bool running_mean = false;     // the rate is a mean since the epoch began
  bool tokens = false;           // items are tokens; the batch size is a limit and not their number
  /// FLOP/s that the printed MFU is a share of, whatever the device; 0 where the program asks it.
  double mfu_peak = 0;
  Confidence confidence = Confidence::high;   // that its lines mean what it says
  std::vector<std::string> assumptions = {};  // where it is a guess: what was found and assumed
  /// Texts in lines that look like figures and are none: evaluation, inference, addresses.
  std::vector<std::string> decoys = {};
  std::vector<QualityKey> quality = {};
  /// Makes a reader of the same for one log, where a key is not enough.
  std::function<QualityReader()> quality_reader = {};
  std::string input_field =
      {};  // seconds of a step spent waiting for input, where `reader` reads none
  /// Why records were refused, in words; empty where none was. Only of dialects that users
  /// describe.
  std::function<std::string()> objection = {};
  std::string file = {};  // where a user describes it; empty for those that are built in
  /// Makes a reader for one log: dialects whose records span lines keep their state in it.
  std::function<RecordReader()> reader = {};
};

/// For dialects that see one line at a time.
std::function<RecordReader()> stateless(bool (*read)(Cursor& line, Record& record));

/// Moves behind `key`, where a record begins.
[[gnu::always_inline]] inline bool begin_record(Cursor& line, Record& record,
                                                std::string_view key) {
  const std::size_t found = line.find(key);
  if (found == std::string_view::npos) return false;
  record.begin = static_cast<std::uint32_t>(found);
  line.move_to(found + key.size());
  return true;
}

/// A loss that follows `key`, where there is one before the rest of the record.
[[gnu::always_inline]] inline void take_loss(Cursor& line, Record& record, std::string_view key) {
  const std::size_t before = line.place();
  if (!line.skip_to(key) || !line.loss(record.loss)) {
    line.move_to(before);
    return;
  }
  record.has_loss = true;
}

/// The dialect of this name. UserError with the nearest name where there is none.
const Dialect& dialect_named(const std::string& name);

/// "images/s" for `img/s`, `images/sec`, …: the first unit named in the text; empty where there is
/// none.
std::string unit_in(std::string_view text);

}  // namespace trainmark
