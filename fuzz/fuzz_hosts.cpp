// A hostfile, and the same text as words of --hosts.

#include <cstdint>

#include "base/error.h"
#include "base/text.h"
#include "scratch.h"
#include "suite/hosts.h"

using namespace trainmark;

namespace {

void check(const std::vector<Host>& hosts) {
  for (const Host& host : hosts)
    if (host.name.empty() || host.name.starts_with('-') || host.slots < 0) std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string text(fuzz::view_of(data, size));
  try {
    check(parse_hostfile(text, "hosts"));
  } catch (const UserError&) {
  }
  std::vector<Placed<std::string>> words;
  for (const std::string& word : split(text, ',')) words.push_back({word, {"--hosts", 0}});
  try {
    check(parse_hosts(words));
  } catch (const UserError&) {
  }
  return 0;
}
