// A shard of WebDataset: the heads of a tar file, samples gathered by their names, and labels.

#include "read_data_set.h"

using namespace trainmark;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  fuzz::read_data_set("webdataset", fuzz::as_file("a.tar", fuzz::view_of(data, size)), size);
  return 0;
}
