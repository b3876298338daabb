#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "base/signals.h"
#include "journal/results.h"

namespace trainmark {

/// Is this a file that `write_bundle` may have written, and not a folder of results?
bool is_bundle(const std::filesystem::path& path);

/// The paths of results that are meant by a path: itself, where it is a folder of results or a
/// bundle; else those of the folder it names (`results/`), sorted. Throws UserError where there are
/// none.
std::vector<std::string> journals_in(const std::string& path);

/// All that another person needs to check or repeat the figures, in one file: the journal, the
/// runs' logs and events, reports, suites and environments. Throws UserError where the journal
/// holds a secret, unless they shall be kept; SystemError where the file cannot be written.
void write_bundle(const JournalContents& contents, const std::filesystem::path& file,
                  bool keep_secrets = false);

/// Results wherever they are: in a folder, or in a bundle, which is unpacked for as long as this
/// lives. Of a bundle only the journal and the runs are taken.
class OpenedResults {
 public:
  /// Throws UserError where there is no journal, and Interrupted.
  explicit OpenedResults(const std::filesystem::path& path);
  ~OpenedResults();
  OpenedResults(const OpenedResults&) = delete;
  OpenedResults& operator=(const OpenedResults&) = delete;

  const JournalContents& contents() const { return contents_; }
  const std::vector<Result>& results() const { return results_; }
  bool from_bundle() const { return !unpacked_.empty(); }

 private:
  std::optional<NotedSignals> noted_;  // the unpacked files must be gone before the program is
  std::filesystem::path unpacked_;
  JournalContents contents_;
  std::vector<Result> results_;
};

}  // namespace trainmark
