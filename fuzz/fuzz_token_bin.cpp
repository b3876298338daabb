// Shards of tokens, with a header and without: names decide, and any bytes are tokens without one.

#include "read_text_set.h"

using namespace trainmark;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view bytes = fuzz::view_of(data, size);
  fuzz::read_text_set("token-bin", fuzz::as_file("a.bin", bytes));
  fuzz::read_text_set("token-bin", fuzz::as_file("train.bin", bytes));
  return 0;
}
