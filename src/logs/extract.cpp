#include "logs/extract.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/error.h"
#include "base/text.h"
#include "logs/detect.h"
#include "logs/grammar/pattern_dialect.h"

namespace trainmark {

namespace fs = std::filesystem;

namespace {

constexpr std::size_t most_files = 100'000;

struct NamedDialect {
  std::string name;
  Dialect dialect;
};

std::string detect(const fs::path& path) {
  LineReader lines(open_log(path));
  const Detection detection = detect_dialect(lines);
  if (detection.known()) return detection.candidates.front().name;
  LineReader again(open_log(path));
  throw UserError(fmt::format("{}: {}", path.string(), unknown_dialect_advice(again)));
}

NamedDialect dialect_for(const fs::path& path, const ExtractOptions& options,
                         const AuthorRule& rule) {
  if (!options.pattern.empty())
    return {"pattern", pattern_dialect(options.pattern, parse_scope(options.scope))};
  std::string name = options.dialect.empty() ? rule.dialect : options.dialect;
  if (name.empty()) name = detect(path);
  return {name, dialect_named(name)};
}

/// DLPerf's names say what the log may not; what the user says goes before both.
GivenFacts given_with_name(const fs::path& path, GivenFacts given) {
  const auto name = dlperf_name(path);
  if (!name) return given;
  const auto from_name = [&](const char* what, auto& place, auto value, bool missing) {
    if (!missing) return;
    place = value;
    given.sources[what] = "file name";
  };
  from_name("gpus", given.gpus, name->scale.ranks(), !given.gpus);
  from_name("nodes", given.nodes, name->scale.nodes, !given.nodes);
  from_name("batch", given.batch, name->batch, !given.batch);
  from_name("precision", given.precision, name->precision, given.precision.empty());
  return given;
}

/// All regular files below a folder, in the order of their names.
std::vector<fs::path> files_below(const fs::path& folder) {
  std::vector<fs::path> files;
  std::error_code error;
  for (auto entry = fs::recursive_directory_iterator(
           folder, fs::directory_options::skip_permission_denied, error);
       !error && entry != fs::recursive_directory_iterator(); entry.increment(error)) {
    std::error_code ignored;
    if (entry->is_regular_file(ignored)) files.push_back(entry->path());
    if (files.size() > most_files) {
      throw UserError(fmt::format("{} holds more than {} files; name a folder of logs",
                                  folder.string(), most_files));
    }
  }
  if (error) throw UserError(fmt::format("cannot read {}: {}", folder.string(), error.message()));
  std::sort(files.begin(), files.end());
  return files;
}

void take_folder(const fs::path& folder, const ExtractOptions& options, Extraction& extraction) {
  extraction.folder = true;
  const std::size_t before = extraction.figures.size();
  for (const fs::path& file : files_below(folder)) {
    try {
      extraction.figures.push_back(extract_log(file, options));
    } catch (const UserError& error) {
      extraction.passed_over.push_back({file.string(), error.what()});
    }
  }
  if (extraction.figures.size() == before) {
    throw UserError(fmt::format(
        "{} holds no log that a dialect reads ({} files were looked at){}", folder.string(),
        extraction.passed_over.size(),
        extraction.passed_over.empty() ? "" : ". The last: " + extraction.passed_over.back().why));
  }
}

/// Mistakes in the words of the user are found before any file is read.
void check_words(const ExtractOptions& options) {
  const AuthorRule rule = parse_author_rule(options.rule);
  parse_scope(options.scope);
  if (!options.dialect.empty() && !options.pattern.empty())
    throw UserError("--dialect and --pattern both say how to read the log; write one of them");
  if (!options.dialect.empty()) dialect_named(options.dialect);
  if (!rule.dialect.empty()) dialect_named(rule.dialect);
  if (!options.pattern.empty()) pattern_dialect(options.pattern, Scope::job);
}

}  // namespace

LogFigure extract_log(const fs::path& path, const ExtractOptions& options) {
  const AuthorRule rule = parse_author_rule(options.rule);
  const NamedDialect named = dialect_for(path, options, rule);
  ReadOptions reading;
  if (!options.rule.empty()) {
    reading.field = rule.field.empty() ? named.dialect.field : rule.field;
    reading.keep_repeats = true;
    reading.stamps = rule.from_stamps;
    reading.most_records = 1 << 20;  // a rule should see records as they are printed
  }
  LineReader lines(open_log(path));
  const LogContents contents = read_log(lines, named.name, named.dialect, reading);
  const std::string objection = named.dialect.objection ? named.dialect.objection() : "";
  if (!objection.empty())
    throw UserError(fmt::format("{}: --pattern: {}", path.string(), objection));
  if (contents.found == 0) {
    throw UserError(fmt::format("{}: {} reads no record in it; {}", path.string(), named.name,
                                named.name == "pattern"
                                    ? "try the expression on one of its lines"
                                    : "leave --dialect out to have the dialect found"));
  }
  const GivenFacts given = given_with_name(path, options.given);
  LogFigure figure;
  try {
    figure = options.rule.empty() ? blind_figure(contents, named.dialect, given)
                                  : rule_figure(contents, named.dialect, given, rule, options.rule);
  } catch (const UserError& error) {
    throw UserError(fmt::format("{}: {}", path.string(), error.what()));
  }
  figure.file = path.string();
  return figure;
}

Extraction extract_paths(const std::vector<std::string>& paths, const ExtractOptions& options) {
  check_words(options);
  Extraction extraction;
  for (const auto& path : paths) {
    std::error_code error;
    if (fs::is_directory(path, error)) {
      take_folder(path, options, extraction);
    } else {
      extraction.figures.push_back(extract_log(path, options));
    }
  }
  extraction.cases = scaling_cases(extraction.figures);
  return extraction;
}

}  // namespace trainmark
