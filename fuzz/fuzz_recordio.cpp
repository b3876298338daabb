// A RecordIO file without an index, and with one: the first byte says how many of the others are
// the index.

#include "read_data_set.h"

using namespace trainmark;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  const std::string_view bytes = fuzz::view_of(data + 1, size - 1);
  const std::size_t index = std::min<std::size_t>(data[0], bytes.size());
  // A record may stand in the index as often as there are lines; each is as long as the file at
  // most.
  fuzz::as_file("indexed.idx", bytes.substr(0, index));
  fuzz::read_data_set("recordio", fuzz::as_file("indexed.rec", bytes.substr(index)), size);
  fuzz::read_data_set("recordio", fuzz::as_file("plain.rec", bytes), size);
  return 0;
}
