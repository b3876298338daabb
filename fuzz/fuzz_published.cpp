// A CSV of figures that others have published: read, or refused with its line.

#include <cmath>
#include <cstdint>

#include "base/error.h"
#include "report/published/published.h"
#include "scratch.h"

using namespace trainmark;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  try {
    for (const PublishedFigure& figure :
         read_published(fuzz::as_file("published.csv", fuzz::view_of(data, size))))
      if (!std::isfinite(figure.throughput) || figure.throughput <= 0) std::abort();
  } catch (const UserError&) {
  }
  return 0;
}
