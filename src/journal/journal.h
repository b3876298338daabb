#pragma once

#include <filesystem>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "journal/results.h"

namespace trainmark {

/// The results of a suite on disk: FOLDER/journal.jsonl, to which records are only ever added, and
/// FOLDER/runs/ID/ with each run's logs and events. A record is one line
/// `{"crc":"xxxxxxxx","record":{…}}`, written at once and synced before it counts; a crash at any
/// byte leaves at most a torn last line, which is recognised and cut.
class Journal {
 public:
  /// Opens or makes a journal for writing and locks it against other benches; one that has it is
  /// waited for, as many seconds as there is `patience`. A torn tail is cut. Throws UserError
  /// (locked by another bench, not a journal, written by a newer trainmark) or SystemError (not
  /// writable).
  explicit Journal(std::filesystem::path folder, double patience = 0);
  ~Journal();
  Journal(const Journal&) = delete;
  Journal& operator=(const Journal&) = delete;

  /// Adds a record for good. Throws SystemError (disk full, …); the journal is then as it was.
  void append(const nlohmann::json& record);
  /// The same for records that belong together: all or none of them are added, unless the machine
  /// itself goes down meanwhile.
  void append_together(const std::vector<nlohmann::json>& records);

  const std::filesystem::path& folder() const { return folder_; }

  /// What was cut at opening, in words; empty where the journal was whole.
  const std::string& repaired() const { return repaired_; }

 private:
  void recover();

  std::filesystem::path folder_;
  int lock_ = -1;
  int file_ = -1;
  std::string repaired_;
};

/// Where the journal of a folder lies.
std::filesystem::path journal_file(const std::filesystem::path& folder);

/// Is there a journal in this folder?
bool has_journal(const std::filesystem::path& folder);

/// Does this file begin as a journal does?
bool is_journal(const std::filesystem::path& file);

/// Reads a journal without locking it; a running bench may be adding to it. Lines that cannot be
/// read are named in `damage`. Throws UserError where there is no journal, and where a newer
/// trainmark has written to it: half of what it holds could not be told from all of it.
JournalContents read_journal(const std::filesystem::path& folder);

/// A record as its line, the line's end included.
std::string journal_line(const nlohmann::json& record);

/// The record's text inside a whole line (without its end), or nothing where form or sum are wrong.
std::optional<std::string_view> record_text(std::string_view line);

}  // namespace trainmark
