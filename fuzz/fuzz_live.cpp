// A program that still runs, read as it prints: pieces of any size, on two streams, at any moment.
// Every piece of an input begins with a byte that says how long it is and on which stream it comes.

#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <iterator>
#include <string>
#include <string_view>

#include "logs/grammar/dialect.h"
#include "logs/live_log.h"

using namespace trainmark;

namespace {

/// An even first letter leaves the dialect to be found.
LiveOptions options_from(std::uint8_t letter) {
  LiveOptions options;
  const auto& dialects = Registry<Dialect>::all();
  if (letter % 2 == 1)
    options.dialect = std::next(dialects.begin(), letter / 2 % std::ssize(dialects))->first;
  options.given.gpus = 8;
  options.given.batch = 32;
  return options;
}

void check_steps(const LiveLog& log) {
  for (const Step& step : log.steps().steps) {
    const bool sound = std::isfinite(step.seconds) && step.seconds > 0 &&
                       std::isfinite(step.items) && step.items > 0;
    if (!sound) std::abort();
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  LiveLog log(options_from(data[0]));
  std::string_view rest(reinterpret_cast<const char*>(data) + 1, size - 1);
  double now = 0;
  while (!rest.empty()) {
    const auto head = static_cast<std::uint8_t>(rest.front());
    rest.remove_prefix(1);
    const std::string_view piece = rest.substr(0, 4 * (head / 2));
    rest.remove_prefix(piece.size());
    log.feed(head % 2, piece, now);
    now += 0.1 * (head % 3);  // several may come at the same moment
  }
  check_steps(log);
  log.finish();
  check_steps(log);
  return 0;
}
