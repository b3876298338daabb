#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "base/registry.h"
#include "logs/grammar/cursor.h"
#include "logs/grammar/record.h"

namespace trainmark {

/// Finds the next record at or behind the cursor, and moves behind it; false where the line holds
/// no (further) record. Called with every line of a log, in order.
using RecordReader = std::function<bool(Cursor& line, Record& record)>;

/// What a program prints, and what it means. docs/dialects.md shows how to add one.
struct Dialect {
  std::string summary;  // the program, in a few words
  std::string sample;   // made-up lines, the last of which completes a record; tested to do so
  Scope scope = Scope::rank;
  std::string unit;            // of the rate, where the line itself does not say it
  bool unit_is_fixed = false;  // whatever the line itself says
  /// The name of the rate's field, or of the time's: what an author's rule takes unless it says so.
  std::string field;
  /// Which records the figure is made from: those of steps unless others say more.
  RecordKind headline = RecordKind::step;
  bool batch_is_global = false;  // the header's batch size counts all GPUs
  bool running_mean = false;     // the rate is a mean since the epoch began
  bool tokens = false;           // items are tokens; the batch size is a limit and not their number
  /// Texts in lines that look like figures and are none: evaluation, inference, addresses.
  std::vector<std::string> decoys = {};
  /// Why records were refused, in words; empty where none was. Only of dialects that users
  /// describe.
  std::function<std::string()> objection = {};
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
