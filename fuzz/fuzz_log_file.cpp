// A log as a file, packed or not: any bytes are lines, or a file that is refused or damaged.

#include <cstdint>

#include "base/error.h"
#include "logs/text/line_reader.h"
#include "scratch.h"

using namespace trainmark;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  try {
    LineReader lines(open_log(fuzz::as_file("log.gz", fuzz::view_of(data, size))));
    for (std::string_view line; lines.next(line);)
      if (line.size() > LineReader::longest_line) std::abort();
    (void)lines.damage();
  } catch (const UserError&) {
  }
  return 0;
}
