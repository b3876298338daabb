// A journal of any records, with right sums: lines of an input are records. Reading names what is
// damaged, and refuses what a newer version has written; results can be made of the rest; what was
// read is written again.

#include <fmt/format.h>
#include <zlib.h>

#include <cstdint>

#include "base/error.h"
#include "journal/journal.h"
#include "scratch.h"

using namespace trainmark;

namespace {

/// A byte before a record that is 1 leaves its sum wrong.
std::string with_sums(std::string_view text) {
  std::string journal;
  while (!text.empty()) {
    const std::size_t end = text.find('\n');
    std::string_view record = text.substr(0, end);
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
    const bool wrong = record.starts_with('\1');
    if (wrong) record.remove_prefix(1);
    const uLong sum =
        crc32_z(wrong ? 1 : 0, reinterpret_cast<const Bytef*>(record.data()), record.size());
    journal += fmt::format("{{\"crc\":\"{:08x}\",\"record\":{}}}\n", sum, record);
  }
  return journal;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  fuzz::as_file("journal.jsonl", with_sums(fuzz::view_of(data, size)));
  JournalContents contents;
  try {
    contents = read_journal(fuzz::scratch());
  } catch (const UserError&) {
    return 0;
  }
  results_of(contents);
  for (const RunRecord& run : contents.runs) {
    const std::string line = journal_line(to_record(run));
    const auto text = record_text(std::string_view(line).substr(0, line.size() - 1));
    if (!text) std::abort();
    if (to_record(std::get<RunRecord>(read_record(*text))) != to_record(run)) std::abort();
  }
  return 0;
}
