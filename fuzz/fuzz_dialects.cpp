// The detector, and every dialect with facts, figure and verdicts: nothing in a log may crash any
// of them.

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

#include "logs/detect.h"
#include "logs/figure.h"
#include "logs/text/text_source.h"

using namespace trainmark;

namespace {

LineReader lines_of(std::string_view text) {
  return LineReader(std::make_unique<TextSource>(text));
}

void read_with(const std::string& name, const Dialect& dialect, std::string_view text) {
  LineReader lines = lines_of(text);
  ReadOptions options;
  options.most_records = 64;  // small, so that merging is reached
  const LogContents contents = read_log(lines, name, dialect, options);
  if (contents.records.size() > 64) std::abort();
  const LogFigure figure = blind_figure(contents, dialect, {.gpus = 8, .batch = 32});
  if (nlohmann::json(figure).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace).empty())
    std::abort();
}

}  // namespace

/// The first letter of an input chooses the dialect, so that each is tried often.
extern "C" int LLVMFuzzerInitialize(int* count, char*** words) {
  if (*count != 3 || std::string_view((*words)[1]) != "--corpus") return 0;
  char number = 0;
  for (const auto& [name, dialect] : Registry<Dialect>::all()) {
    std::ofstream file(std::string((*words)[2]) + "/" + name);
    file << number++ << dialect.sample << "\n" << dialect.sample << "\n";
  }
  std::exit(0);
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  const std::string_view text(reinterpret_cast<const char*>(data) + 1, size - 1);
  LineReader lines = lines_of(text);
  detect_dialect(lines);
  const auto& dialects = Registry<Dialect>::all();
  const auto chosen = std::next(dialects.begin(), data[0] % std::ssize(dialects));
  read_with(chosen->first, chosen->second, text);
  return 0;
}
