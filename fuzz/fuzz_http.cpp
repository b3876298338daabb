// What a browser, or somebody else, sends to `trainmark serve`.

#include <cstdint>

#include "http/http.h"
#include "scratch.h"

using namespace trainmark;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  int status = 0;
  const auto request = parse_request(fuzz::view_of(data, size), status);
  if (request.has_value() != (status == 200)) std::abort();
  if (!request) return 0;
  if (!request->path.starts_with('/')) std::abort();
  (void)request->host();
  (void)percent_decoded(request->query);
  return 0;
}
