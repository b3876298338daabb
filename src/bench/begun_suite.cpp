#include "bench/begun_suite.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/error.h"
#include "base/text.h"
#include "suite/suite_content.h"

namespace trainmark {

namespace {

/// The last session that measured something has the suite that all of them share. Figures that were
/// read from logs or taken from tables have none.
const SuiteRecord* measured_suite(const JournalContents& before) {
  const auto found = std::find_if(before.suites.rbegin(), before.suites.rend(),
                                  [](const SuiteRecord& suite) { return !suite.text.empty(); });
  return found == before.suites.rend() ? nullptr : &*found;
}

/// A limit of time changes no figure.
std::vector<std::string> overrides_that_matter(std::vector<std::string> overrides) {
  std::erase_if(overrides,
                [](const std::string& words) { return words.starts_with("--time-limit "); });
  return overrides;
}

[[noreturn]] void refuse(const SessionOptions& options, const std::string& measured_with) {
  throw UserError(fmt::format(
      "{} was measured with {}; different kinds of results are not mixed: choose another "
      "folder with --out",
      options.folder.string(), measured_with));
}

/// Runs that were measured in another way must not be mixed into one result.
void check_same_suite(const SuiteRecord& before, const Suite& suite,
                      const SessionOptions& options) {
  const std::vector<std::string> keys = differing_keys(before.text, suite.text);
  if (!keys.empty())
    refuse(options, fmt::format("another version of the suite '{}' (different: {})",
                                printable(before.name), join(keys, ", ")));
  if (overrides_that_matter(before.overrides) != overrides_that_matter(options.overrides))
    refuse(options,
           fmt::format("other options ({})", before.overrides.empty()
                                                 ? "none"
                                                 : printable(join(before.overrides, " "), 400)));
}

}  // namespace

void check_can_go_on(const JournalContents& before, const std::set<std::string>& folders,
                     const Suite& suite, const SessionOptions& options) {
  const SuiteRecord* begun = measured_suite(before);
  if (!options.resume && !before.runs.empty()) {
    throw UserError(
        fmt::format("{} already holds {}; continue it with --resume, or choose "
                    "another folder with --out",
                    options.folder.string(), counted(before.runs.size(), "run")));
  }
  if (!options.resume && begun == nullptr && !folders.empty()) {
    throw UserError(
        fmt::format("{} holds the folders of {} that are not in its journal (it may have "
                    "been emptied); choose another folder with --out, or add to them with "
                    "--resume",
                    options.folder.string(), counted(folders.size(), "run")));
  }
  if (before.runs.empty()) return;
  if (begun == nullptr) {
    throw UserError(
        fmt::format("{} holds runs, but the record of their suite cannot be read: "
                    "new runs might not match them; choose another folder with --out",
                    options.folder.string()));
  }
  check_same_suite(*begun, suite, options);
}

std::optional<std::set<std::string>> begun_cells(const JournalContents& before,
                                                 const ResumeIndex& index) {
  if (before.runs.empty()) return std::nullopt;
  std::set<std::string> keys = index.tried_keys();
  const std::size_t tried = keys.size();
  for (const SuiteRecord& suite : before.suites) {
    // An older journal tells the number of its cells, which are known once all have runs.
    if (suite.planned.empty() && tried < suite.cells && !suite.text.empty()) return std::nullopt;
    keys.insert(suite.planned.begin(), suite.planned.end());
  }
  return keys;
}

std::set<std::string> run_folders(const std::filesystem::path& folder) {
  std::set<std::string> names;
  std::error_code error;
  for (const auto& entry : std::filesystem::directory_iterator(folder / "runs", error))
    names.insert(entry.path().filename().string());
  return names;
}

}  // namespace trainmark
