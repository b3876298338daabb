// The words of the user against a log: the first line is an author's rule, the second a pattern,
// the rest the log. Bad words must end in a UserError and in nothing else.

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "base/error.h"
#include "logs/author_rule.h"
#include "logs/detect.h"
#include "logs/grammar/pattern_dialect.h"
#include "logs/scaling.h"
#include "logs/text/text_source.h"

using namespace trainmark;

namespace {

std::string take_line(std::string_view& text) {
  const std::size_t end = text.find('\n');
  const std::string line(text.substr(0, end));
  text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
  return line;
}

void apply(const AuthorRule& rule, const std::string& name, const Dialect& dialect,
           std::string_view text) {
  LineReader lines(std::make_unique<TextSource>(text));
  ReadOptions options;
  options.field = rule.field.empty() ? dialect.field : rule.field;
  options.keep_repeats = true;
  options.stamps = true;
  apply_rule(rule, read_log(lines, name, dialect, options), dialect.scope, {8, 2, 32});
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  std::string_view text(reinterpret_cast<const char*>(data), size);
  const std::string words = take_line(text);
  const std::string expression = take_line(text);
  try {
    dlperf_name(words);
    const AuthorRule rule = parse_author_rule(words);
    LineReader lines(std::make_unique<TextSource>(text));
    const Detection detection = detect_dialect(lines);
    if (detection.known()) {
      const std::string name = detection.candidates.front().name;
      apply(rule, name, dialect_named(name), text);
    } else {
      LineReader again(std::make_unique<TextSource>(text));
      unknown_dialect_advice(again);
    }
    apply(rule, "pattern", pattern_dialect(expression, Scope::rank), text);
  } catch (const UserError&) {
  }
  return 0;
}
