#pragma once

#include <filesystem>
#include <iosfwd>
#include <string>

#include "journal/results.h"
#include "report/report.h"
#include "report/words.h"

namespace trainmark {

/// What the standard output can show: its width, colours (https://no-color.org) and Unicode.
ReportOptions terminal_options();

/// Writes a report as the terminal at hand can show it. Throws UserError for an unknown format.
void show_report(const JournalContents& contents, const std::string& format, Language language,
                 std::ostream& out);

/// Writes a report to a file, whole or not at all.
void save_report(const JournalContents& contents, const std::string& format, Language language,
                 const std::filesystem::path& file);

/// "en" or "zh"; throws UserError for anything else.
Language parse_language(const std::string& name);

}  // namespace trainmark
