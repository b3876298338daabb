// BERT's HDF5: any bytes are rows of sentences, or a file that is refused.

#include "read_text_set.h"

using namespace trainmark;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  fuzz::read_text_set("bert-hdf5", fuzz::as_file("a.hdf5", fuzz::view_of(data, size)));
  return 0;
}
