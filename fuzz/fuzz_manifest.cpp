// The manifest of a data set (trainmark-data.json), which whoever damages the set may damage, too.

#include "base/error.h"
#include "data/making/manifest.h"
#include "scratch.h"

using namespace trainmark;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  fuzz::as_file(data::manifest_name, fuzz::view_of(data, size));
  try {
    const auto manifest = data::read_manifest(fuzz::scratch());
    if (!manifest) std::abort();  // it is there
  } catch (const UserError&) {
    // That is what damage is answered with.
  }
  return 0;
}
