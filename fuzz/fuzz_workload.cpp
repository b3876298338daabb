// The contract of a workload, workloads/NAME.yaml: read, or refused with the key that is wrong.

#include <cstdint>
#include <stdexcept>

#include "scratch.h"
#include "workload/contract.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  try {
    trainmark::train::parse_contract("fuzzed",
                                     {"fuzzed.yaml", trainmark::fuzz::view_of(data, size)});
  } catch (const std::runtime_error&) {
  }
  return 0;
}
