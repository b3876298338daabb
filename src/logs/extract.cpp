#include "logs/extract.h"

#include <fmt/format.h>

#include "base/error.h"
#include "logs/detect.h"

namespace trainmark {

namespace {

std::string dialect_of(const std::filesystem::path& path, const ExtractOptions& options,
                       const AuthorRule& rule) {
  if (!options.dialect.empty()) return options.dialect;
  if (!rule.dialect.empty()) return rule.dialect;
  LineReader lines(open_log(path));
  const Detection detection = detect_dialect(lines);
  if (detection.known()) return detection.candidates.front().name;
  LineReader again(open_log(path));
  throw UserError(fmt::format("{}: {}", path.string(), unknown_dialect_advice(again)));
}

}  // namespace

LogFigure extract_log(const std::filesystem::path& path, const ExtractOptions& options) {
  const AuthorRule rule = parse_author_rule(options.rule);
  const std::string name = dialect_of(path, options, rule);
  const Dialect& dialect = dialect_named(name);
  ReadOptions reading;
  if (!options.rule.empty()) {
    reading.field = rule.field.empty() ? dialect.field : rule.field;
    reading.keep_repeats = true;
  }
  LineReader lines(open_log(path));
  const LogContents contents = read_log(lines, name, dialect, reading);
  if (contents.found == 0) {
    throw UserError(fmt::format("{}: {} reads no record in it; leave --dialect out to have it found",
                                path.string(), name));
  }
  LogFigure figure = options.rule.empty()
                         ? blind_figure(contents, dialect, options.given)
                         : rule_figure(contents, dialect, options.given, rule, options.rule);
  figure.file = path.string();
  return figure;
}

}  // namespace trainmark
