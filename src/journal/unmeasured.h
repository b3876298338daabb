#pragma once

#include <filesystem>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "journal/journal.h"
#include "journal/record.h"

namespace trainmark {

/// What became of figures that were to be added to a journal.
struct AddedFigures {
  std::size_t added = 0;
  std::size_t known = 0;  // there already

  /// "2 figures added to DIR; 1 was there already".
  std::string text(const std::string& folder) const;
};

/// Where unmeasured figures come from. `name` stands for their suite in a journal, `environment`
/// for the machine that nobody knows and in the ids of their runs.
struct UnmeasuredSource {
  std::string name;
  std::string title;
  std::string environment;
  /// What makes two figures the same one; empty for runs from elsewhere.
  std::function<std::string(const RunRecord&)> identity;
};

/// Adds runs that Trainmark did not measure to a journal, so that reports and comparisons hold them
/// beside measured ones. Those that the journal holds already are left out.
class UnmeasuredRuns {
 public:
  UnmeasuredRuns(const std::filesystem::path& folder, UnmeasuredSource source);

  /// The journal as it was.
  const JournalContents& before() const { return before_; }

  /// Who publishes a figure twice has two of them. Number, round and environment are set later.
  void add(RunRecord run);

  AddedFigures write();

 private:
  UnmeasuredSource source_;
  Journal journal_;
  JournalContents before_;
  std::map<std::string, std::size_t> known_;  // figures of the journal by identity
  std::vector<RunRecord> runs_;
  AddedFigures added_;
};

}  // namespace trainmark
