#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace trainmark {

/// Why a file below a folder is not read as a log.
enum class NoLog { document, table, source, picture, archive, settings, empty, unreadable, silent };

/// "2 tables", "1 table"; "table" alone for 0.
std::string text(NoLog why, std::size_t count);

struct PassedOver {
  std::string file;
  NoLog kind = NoLog::silent;
  std::string why;  // the whole reason, in words
};

/// What lies below a folder, in the order of the names.
struct FolderContents {
  std::vector<std::filesystem::path> logs;  // what may be one
  std::vector<PassedOver> others;
};

/// Tells logs from what lies beside them by names and first bytes. Hidden folders are not entered,
/// and links to folders not followed. UserError for a folder that cannot be read, or holds more
/// files than anybody's logs.
FolderContents find_logs(const std::filesystem::path& folder);

/// "3 files were skipped: 2 tables, 1 document"; empty where there are none.
std::string passed_over_text(const std::vector<PassedOver>& files);

}  // namespace trainmark
