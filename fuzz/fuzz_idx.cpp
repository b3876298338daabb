// Fashion-MNIST's IDX files, packed or not: the first byte says how many of the others are the
// labels.

#include "read_data_set.h"

using namespace trainmark;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  const std::string_view bytes = fuzz::view_of(data + 1, size - 1);
  const std::size_t labels = std::min<std::size_t>(data[0], bytes.size());
  fuzz::as_file("train-labels-idx1-ubyte", bytes.substr(0, labels));
  fuzz::read_data_set("fashion-mnist",
                      fuzz::as_file("train-images-idx3-ubyte", bytes.substr(labels)), size);
  return 0;
}
