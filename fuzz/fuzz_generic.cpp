// The generic reader: whatever lines teach it, and whatever it then reads with that, nothing
// crashes, and what it suggests is a pattern.

#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <nlohmann/json.hpp>
#include <string_view>

#include "logs/extract.h"
#include "logs/generic/generic_dialect.h"
#include "logs/generic/learn.h"
#include "logs/generic/scheme_words.h"
#include "logs/grammar/pattern_dialect.h"
#include "logs/learned.h"
#include "logs/text/text_source.h"

using namespace trainmark;

namespace {

LineReader text_lines(std::string_view text) {
  return LineReader(std::make_unique<TextSource>(text));
}

void check_figure(std::string_view text, const GivenFacts& given) {
  LineReader lines = text_lines(text);
  auto dialect = learned_dialect(lines, given);
  if (!dialect) return;
  LineReader again = text_lines(text);
  ReadOptions options;
  options.most_records = 64;
  const LogContents contents = read_log(again, generic_name, *dialect, options);
  if (contents.found == 0) return;
  dialect->scope = learned_scope(*dialect, contents, given);
  const LogFigure figure = blind_figure(contents, *dialect, given);
  if (nlohmann::json(figure).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace).empty())
    std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  // With and without the moments at which the lines came.
  FormatLearner learner;
  LineReader lines = text_lines(text);
  double now = 0;
  for (std::string_view line; lines.next(line); now += 0.1)
    learner.look(line, size % 2 == 0 ? now : not_known);
  if (const auto scheme = learner.scheme()) {
    scheme_words(*scheme, false);
    const std::string pattern = scheme_pattern(*scheme);
    if (!pattern.empty()) pattern_dialect(pattern, Scope::job);  // throws where it is none
  }
  pattern_for_line(std::string(text.substr(0, 300)));
  check_figure(text, {});
  check_figure(text, {.gpus = 8, .batch = 32});
  return 0;
}
