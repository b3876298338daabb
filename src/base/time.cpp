#include "base/time.h"

#include <array>
#include <chrono>
#include <ctime>

namespace trainmark {

namespace {

std::string utc(const char* pattern) {
  const std::time_t now = std::time(nullptr);
  std::tm parts = {};
  gmtime_r(&now, &parts);
  std::array<char, 64> text = {};
  return {text.data(), std::strftime(text.data(), text.size(), pattern, &parts)};
}

}  // namespace

double monotonic_seconds() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

std::string utc_now() {
  return utc("%Y-%m-%dT%H:%M:%SZ");
}

std::string file_stamp() {
  return utc("%Y%m%d-%H%M%S");
}

}  // namespace trainmark
