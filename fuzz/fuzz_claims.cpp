// Tables of published figures, as CSV and as Markdown: claims, or refused with the line.

#include <cmath>
#include <cstdint>

#include "base/error.h"
#include "report/audit/claim.h"
#include "scratch.h"

using namespace trainmark;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  const std::string_view text = fuzz::view_of(data + 1, size - 1);
  const auto table = fuzz::as_file(data[0] % 2 == 0 ? "claims.csv" : "claims.md", text);
  const std::string folder = std::filesystem::canonical(fuzz::scratch()).string();
  try {
    for (const Claim& claim : read_claims(table, folder).all) {
      if (!std::isfinite(claim.published) || claim.published <= 0) std::abort();
      if (!claim.path.string().starts_with(folder)) std::abort();
    }
  } catch (const UserError&) {
  }
  return 0;
}
