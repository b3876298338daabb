// A file of any bytes as a journal, and opened for writing: what was torn is cut, and the next
// record can be read.

#include <cstdint>
#include <nlohmann/json.hpp>

#include "journal/journal.h"
#include "scratch.h"

using namespace trainmark;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  fuzz::as_file("journal.jsonl", fuzz::view_of(data, size));
  const std::size_t before = read_journal(fuzz::scratch()).skips.size();
  {
    Journal journal(fuzz::scratch());
    journal.append(to_record(SkipRecord{{}, "the record that must be there"}));
  }
  const JournalContents after = read_journal(fuzz::scratch());
  if (after.skips.size() < before || after.skips.empty() ||
      after.skips.back().reason != "the record that must be there")
    std::abort();
  return 0;
}
