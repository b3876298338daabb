// framework.yaml and what `PROGRAM --describe` prints. The first letter chooses which. A bad one is
// refused with a reason.

#include <cstdint>
#include <nlohmann/json.hpp>
#include <stdexcept>

#include "base/error.h"
#include "scratch.h"
#include "suite/catalog.h"

using namespace trainmark;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  const std::string text(fuzz::view_of(data + 1, size - 1));
  if (data[0] % 2 == 0) {
    try {
      parse_framework_file(text, "framework.yaml");
    } catch (const UserError&) {
    }
    return 0;
  }
  try {
    const Description description = read_description(text);
    // What was accepted can be written and is read as the same again.
    const std::string written = to_json(description).dump();
    if (to_json(read_description(written)).dump() != written) std::abort();
  } catch (const std::invalid_argument&) {
  }
  return 0;
}
