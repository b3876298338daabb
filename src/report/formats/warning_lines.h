#pragma once

#include <functional>
#include <iosfwd>
#include <map>
#include <string>
#include <string_view>

#include "report/content/report.h"
#include "report/writing/table.h"

namespace trainmark {

/// Of warnings, by name; where there is room for names, none has one.
using WarningCodes = std::map<std::string, std::string, std::less<>>;

void write_heading(std::string_view words, const TerminalOptions& options, std::ostream& out);

/// A line below a table: where, what it is about, which is painted, and what is said of it. Long
/// ones go on in the next line.
void write_line(const std::string& where, const TableCell& about, const std::string& said,
                const TerminalOptions& options, std::ostream& out);

/// Each kind of warning once, with what it says of the first cell.
void write_warnings(const ReportInput& input, const WarningCodes& codes, std::ostream& out);

}  // namespace trainmark
