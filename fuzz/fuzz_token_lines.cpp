// Lines of ids: both sides in one file, and as two files, of which the first byte says where the
// second begins.

#include "read_text_set.h"

using namespace trainmark;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  const std::string_view bytes = fuzz::view_of(data + 1, size - 1);
  fuzz::read_text_set("token-lines", fuzz::as_file("a.tsv", bytes));
  const std::size_t cut = std::min<std::size_t>(data[0], bytes.size());
  fuzz::as_file("a.tgt", bytes.substr(cut));
  fuzz::read_text_set("token-lines", fuzz::as_file("a.src", bytes.substr(0, cut)));
  return 0;
}
