// The variables of launchers: lines NAME=VALUE. They make a position that makes sense, or are
// refused.

#include <cstdint>
#include <cstdlib>

#include "base/error.h"
#include "base/text.h"
#include "protocol/rank_position.h"
#include "scratch.h"

using namespace trainmark;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string text(fuzz::view_of(data, size));
  clearenv();
  for (const std::string& line : split(text, '\n')) {
    const std::size_t equals = line.find('=');
    if (equals == 0 || equals == std::string::npos) continue;
    setenv(line.substr(0, equals).c_str(), line.c_str() + equals + 1, 1);
  }
  try {
    const RankPosition position = find_rank_position();
    if (position.rank < 0 || position.rank >= position.ranks || position.master_port <= 0)
      std::abort();
  } catch (const UserError&) {
  }
  return 0;
}
