// The events of a trainer, in pieces of any size: the first byte says how large. A strict reader
// finds a fault or steps that make sense; a lenient one never has a fault.

#include <cmath>
#include <cstdint>

#include "protocol/event_reader.h"
#include "scratch.h"

using namespace trainmark;

namespace {

EventReader read_pieces(EventPolicy policy, std::string_view text, std::size_t piece) {
  EventReader reader(policy);
  for (; !text.empty(); text.remove_prefix(std::min(piece, text.size())))
    reader.feed(text.substr(0, piece));
  reader.finish();
  return reader;
}

void check(const std::vector<Step>& steps) {
  for (const Step& step : steps)
    if (!std::isfinite(step.seconds) || !std::isfinite(step.items)) std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  const std::string_view text = fuzz::view_of(data + 1, size - 1);
  const EventReader strict = read_pieces(EventPolicy::strict, text, data[0] + 1U);
  check(strict.steps());
  // Pieces make no difference.
  const EventReader whole = read_pieces(EventPolicy::strict, text, text.size() + 1);
  if (whole.steps().size() != strict.steps().size() || whole.fault() != strict.fault())
    std::abort();
  const EventReader lenient = read_pieces(EventPolicy::lenient, text, data[0] + 1U);
  check(lenient.steps());
  if (!lenient.fault().empty()) std::abort();
  check(read_steps(text));
  return 0;
}
