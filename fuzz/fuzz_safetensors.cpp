// Weights as a file: its header must add up before anything is read.

#include <cstdint>

#include "base/error.h"
#include "base/safetensors.h"
#include "scratch.h"

using namespace trainmark;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  try {
    SafetensorsFile file(fuzz::as_file("weights", fuzz::view_of(data, size)).string());
    for (const auto& [name, tensor] : file.tensors()) {
      if (tensor.begin + tensor.bytes > size) std::abort();
      if (tensor.type == "F32") file.floats(name);
    }
  } catch (const UserError&) {
  }
  return 0;
}
