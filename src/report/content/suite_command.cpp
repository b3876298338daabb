#include "report/content/suite_command.h"

#include <fmt/format.h>

#include <filesystem>
#include <set>
#include <tuple>

namespace trainmark {

namespace {

/// "--set interval=0.2%" as the two words it was on the command line.
void add_override(const std::string& text, std::vector<std::string>& command) {
  const std::size_t blank = text.starts_with("--") ? text.find(' ') : std::string::npos;
  command.push_back(text.substr(0, blank));
  if (blank != std::string::npos) command.push_back(text.substr(blank + 1));
}

}  // namespace

std::string suite_file(const SuiteRecord& suite) {
  return (suite.name.empty() ? "suite" : suite.name) + ".yaml";
}

std::vector<std::string> suite_command(const SuiteRecord& suite) {
  std::vector<std::string> command = {"trainmark", "run", suite_file(suite)};
  for (const std::string& text : suite.overrides) add_override(text, command);
  if (suite.rounds > 0) add_override(fmt::format("--rounds {}", suite.rounds), command);
  for (const std::string& pattern : suite.only) command.insert(command.end(), {"--only", pattern});
  return command;
}

std::vector<const SuiteRecord*> different_suites(const std::vector<SuiteRecord>& suites) {
  std::set<std::tuple<std::string, std::vector<std::string>, std::vector<std::string>>> seen;
  std::vector<const SuiteRecord*> different;
  for (const SuiteRecord& suite : suites)
    if (!suite.text.empty() && seen.emplace(suite.text, suite.overrides, suite.only).second)
      different.push_back(&suite);
  return different;
}

std::string subject_of(const std::vector<SuiteRecord>& suites, const std::string& folder) {
  for (const SuiteRecord& suite : suites) {
    if (!suite.title.empty()) return suite.title;
    if (!suite.name.empty()) return suite.name;
  }
  const std::filesystem::path path(folder);
  return (path.has_filename() ? path : path.parent_path()).filename().string();
}

}  // namespace trainmark
