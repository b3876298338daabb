#include "logs/extract.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "base/error.h"
#include "base/text.h"
#include "logs/detect.h"
#include "logs/generic/generic_dialect.h"
#include "logs/grammar/pattern_dialect.h"
#include "logs/learned.h"
#include "logs/log_name.h"
#include "logs/text/standard_input.h"

namespace trainmark {

namespace fs = std::filesystem;

namespace {

struct NamedDialect {
  std::string name;
  Dialect dialect;
};

/// Empty where no dialect reads it.
std::string detect(const fs::path& path) {
  LineReader lines(open_log(path));
  const Detection detection = detect_dialect(lines);
  if (detection.known()) return detection.candidates.front().name;
  return "";
}

/// Where no dialect reads it, or none is wanted.
Dialect learn(const fs::path& path, const ExtractOptions& options) {
  LineReader lines(open_log(path));
  if (auto dialect = learned_dialect(lines, options.given)) return *dialect;
  LineReader again(open_log(path));
  throw UserError(fmt::format("{}: {}", path.string(), unknown_dialect_advice(again)));
}

NamedDialect dialect_for(const fs::path& path, const ExtractOptions& options,
                         const AuthorRule& rule) {
  if (!options.pattern.empty())
    return {"pattern", pattern_dialect(options.pattern, parse_scope(options.scope))};
  std::string name = options.dialect.empty() ? rule.dialect : options.dialect;
  if (name.empty()) name = detect(path);
  if (name.empty() || is_generic(name)) return {generic_name, learn(path, options)};
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

/// `gpu8` in the name, where neither the user nor the log says how many there were.
void take_gpus_of_name(const fs::path& path, const LogContents& contents, GivenFacts& given) {
  const std::optional<int> gpus = read_log_name(path).gpus;
  const bool said = std::any_of(contents.runs.begin(), contents.runs.end(), [](const LogRun& run) {
    return run.facts.contains("gpus") || run.facts.contains("per_node");
  });
  if (given.gpus || said || !gpus) return;
  given.gpus = gpus;
  given.sources["gpus"] = "file name";
}

/// What only the name tells. The figure does not depend on it, but what it is compared with does.
void take_name(LogFigure& figure, const LogName& name) {
  const auto take = [&](const char* what, std::string& place, const std::string& said) {
    if (!place.empty() || said.empty()) return;
    place = said;
    figure.taken_from[what] = "file name";
  };
  take("precision", figure.precision, name.precision);
  take("machine", figure.machine, name.machine);
}

/// In a folder lies much that is no log, and that a guess reads all the same.
void refuse_wild_guess(const LogFigure& figure, const ExtractOptions& options) {
  if (figure.dialect != generic_name || !options.dialect.empty()) return;
  if (figure.confidence != Confidence::low && figure.throughput > 0) return;
  throw UserError(figure.file +
                  ": no dialect matches it, and the meaning of its lines is too uncertain; name "
                  "the file itself to see the guess");
}

void take_folder(const fs::path& folder, const ExtractOptions& options, Extraction& extraction,
                 const FileObserver& observe) {
  extraction.folder = true;
  FolderContents contents = find_logs(folder);
  const std::size_t before = extraction.figures.size();
  std::vector<PassedOver> others = std::move(contents.others);
  for (std::size_t i = 0; i < contents.logs.size(); ++i) {
    if (observe) observe(i, contents.logs.size());
    const fs::path& file = contents.logs[i];
    try {
      LogFigure figure = extract_log(file, options);
      refuse_wild_guess(figure, options);
      extraction.figures.push_back(std::move(figure));
    } catch (const UserError& error) {
      std::string why = error.what();
      const std::string named = file.string() + ": ";
      if (why.starts_with(named)) why.erase(0, named.size());
      others.push_back({file.string(), NoLog::silent, std::move(why)});
    }
  }
  if (observe) observe(contents.logs.size(), contents.logs.size());
  if (extraction.figures.size() == before) {
    const bool none = others.empty();
    throw UserError(
        fmt::format("{} holds no log in a known dialect{}{}", folder.string(),
                    none ? "; it holds no file at all" : ": ",
                    none ? "" : passed_over_text(others) + ". The last: " + others.back().why));
  }
  std::move(others.begin(), others.end(), std::back_inserter(extraction.passed_over));
}

/// What is said of the copy is said of standard input.
LogFigure extract_standard_input(const ExtractOptions& options) {
  const StandardInput input;
  const std::string path = input.path().string();
  try {
    LogFigure figure = extract_log(path, options);
    figure.file = StandardInput::name;
    return figure;
  } catch (const UserError& error) {
    std::string words = error.what();
    for (std::size_t at = words.find(path); at != std::string::npos; at = words.find(path))
      words.replace(at, path.size(), StandardInput::name);
    throw UserError(words);
  }
}

/// Mistakes in the words of the user are found before any file is read.
void check_words(const ExtractOptions& options) {
  const AuthorRule rule = parse_author_rule(options.rule);
  parse_scope(options.scope);
  if (!options.dialect.empty() && !options.pattern.empty())
    throw UserError("--dialect and --pattern both say how to read the log; write one of them");
  if (!options.dialect.empty() && !is_generic(options.dialect)) dialect_named(options.dialect);
  if (!rule.dialect.empty()) dialect_named(rule.dialect);
  if (!options.pattern.empty()) pattern_dialect(options.pattern, Scope::job);
}

}  // namespace

LogFigure extract_log(const fs::path& path, const ExtractOptions& options) {
  const AuthorRule rule = parse_author_rule(options.rule);
  NamedDialect named = dialect_for(path, options, rule);
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
    throw UserError(fmt::format("{}: {}: {}", path.string(),
                                named.dialect.file.empty() ? "--pattern" : named.dialect.file,
                                objection));
  if (contents.found == 0) {
    throw UserError(fmt::format("{}: {} finds no record in it; {}", path.string(), named.name,
                                named.name == "pattern" ? "try the expression on one of its lines"
                                                        : "omit --dialect to have it detected"));
  }
  GivenFacts given = given_with_name(path, options.given);
  take_gpus_of_name(path, contents, given);
  if (named.name == generic_name)
    named.dialect.scope = learned_scope(named.dialect, contents, given);
  LogFigure figure;
  try {
    figure = options.rule.empty() ? blind_figure(contents, named.dialect, given)
                                  : rule_figure(contents, named.dialect, given, rule, options.rule);
  } catch (const UserError& error) {
    throw UserError(fmt::format("{}: {}", path.string(), error.what()));
  }
  figure.file = path.string();
  take_name(figure, read_log_name(path));
  return figure;
}

Extraction extract_paths(const std::vector<std::string>& paths, const ExtractOptions& options,
                         const FileObserver& observe) {
  check_words(options);
  Extraction extraction;
  for (const auto& path : paths) {
    std::error_code error;
    if (path == "-") {
      extraction.figures.push_back(extract_standard_input(options));
    } else if (fs::is_directory(path, error)) {
      take_folder(path, options, extraction, observe);
    } else {
      extraction.figures.push_back(extract_log(path, options));
    }
  }
  extraction.cases = scaling_cases(extraction.figures);
  return extraction;
}

}  // namespace trainmark
