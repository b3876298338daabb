#include "cli/known_values.h"

#include <algorithm>
#include <filesystem>
#include <functional>
#include <map>

#include "base/version.h"
#include "cli/command.h"
#include "data/formats/data_set.h"
#include "data/making/subject.h"
#include "launch/launcher.h"
#include "logs/grammar/dialect.h"
#include "measure/rule.h"
#include "protocol/precisions.h"
#include "report/audit/audit_format.h"
#include "report/comparison/comparison.h"
#include "report/content/report.h"
#include "report/extraction/extraction.h"
#include "report/history/history.h"
#include "suite/suite.h"

namespace trainmark {

namespace {

namespace fs = std::filesystem;
using Words = std::vector<std::string>;

/// Those that can be written.
Words data_formats() {
  Words names;
  for (const auto& [name, format] : Registry<data::Format>::all())
    if (format.make_writer) names.push_back(name);
  return names;
}

/// Those that are not what a format is made of anyway.
Words data_tasks() {
  Words names;
  for (const auto& [name, subject] : Registry<data::Subject>::all())
    if (name != subject.kind) names.push_back(name);
  return names;
}

const std::map<std::string, std::function<Words()>>& known() {
  static const std::map<std::string, std::function<Words()>> all = {
      {"* --color",
       [] {
         return Words{"auto", "always", "never"};
       }},
      {"* --device",
       [] {
         return Words{"cpu", "cuda"};
       }},
      {"* --dialect", [] { return Registry<Dialect>::names(); }},
      {"* --lang",
       [] {
         return Words{"en", "zh"};
       }},
      {"* --launcher", [] { return Registry<LauncherKind>::names(); }},
      {"* --precision", [] { return known_precisions(); }},
      {"* --scope",
       [] {
         return Words{"rank", "node", "job"};
       }},
      {"audit --format", [] { return Registry<AuditFormat>::names(); }},
      {"compare --format", [] { return Registry<ComparisonFormat>::names(); }},
      {"completions shell",
       [] {
         return Words{"bash", "zsh", "fish"};
       }},
      {"data make --format", [] { return data_formats(); }},
      {"data make --task", [] { return data_tasks(); }},
      {"env --format",
       [] {
         return Words{"text", "json"};
       }},
      {"extract --format", [] { return Registry<ExtractionFormat>::names(); }},
      {"help command", command_names},
      {"history --format", [] { return Registry<HistoryFormat>::names(); }},
      {"list what", list_names},
      {"measure --engine",
       [] {
         return Words{"docker", "podman", "apptainer", "singularity"};
       }},
      {"project --format",
       [] {
         return Words{"table", "json"};
       }},
      {"report --format", [] { return Registry<ReportFormat>::names(); }},
      {"run --rule", [] { return Registry<RuleKind>::names(); }},
      {"run suite", suite_names},
      {"setup framework", installable_frameworks},
  };
  return all;
}

}  // namespace

Words known_values(const std::string& command, const std::string& option) {
  for (const std::string& key : {command + " " + option, "* " + option})
    if (const auto found = known().find(key); found != known().end()) return found->second();
  return {};
}

Words options_with_known_values() {
  Words keys;
  for (const auto& [key, values] : known()) keys.push_back(key);
  return keys;
}

Words suite_names() {
  Words names;
  for (const auto& [name, title] : list_suites(home())) names.push_back(name);
  return names;
}

Words installable_frameworks() {
  Words names;
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(home() / "frameworks", error)) {
    if (fs::exists(entry.path() / "requirements.txt", error))
      names.push_back(entry.path().filename().string());
  }
  if (fs::exists(home() / "trainers" / "requirements.txt", error)) names.emplace_back("libtorch");
  std::sort(names.begin(), names.end());
  return names;
}

}  // namespace trainmark
