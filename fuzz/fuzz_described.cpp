// A user's description of a dialect: one that reads lines, or refused with file and line.

#include <cstdint>

#include "base/error.h"
#include "logs/described/described.h"
#include "scratch.h"

using namespace trainmark;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  try {
    const DescribedDialect described =
        parse_dialect(std::string(fuzz::view_of(data, size)), "dialect.yaml");
    const RecordReader read = described.dialect.reader();
    const std::string line =
        "step 20: 512.5 img/s, 0.25 s/it (loss 6.9) " + described.dialect.sample;
    Cursor cursor(line);
    std::size_t records = 0;
    for (Record record; read(cursor, record); record = Record())
      if (++records > line.size() + 1) std::abort();
  } catch (const UserError&) {
  }
  return 0;
}
