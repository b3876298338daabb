#pragma once

#include <fmt/format.h>

#include <filesystem>
#include <iosfwd>
#include <string>

#include "base/error.h"
#include "base/text.h"
#include "cli/command.h"
#include "journal/results.h"
#include "report/content/report.h"
#include "report/words/words.h"

namespace trainmark {

/// What the standard output can show: its width (COLUMNS wins), colours (https://no-color.org) and
/// Unicode. `colour` is auto, always or never; throws UserError for anything else.
ReportOptions terminal_options(const std::string& colour = "auto");

/// Declares --price-per-hour.
CLI::Option* add_price_option(CLI::App& app, std::string& price);
/// What was given for it; nothing where it was not. Throws UserError.
std::optional<Price> given_price(const std::string& text);

/// Declares --color.
void add_colour_option(CLI::App& app, std::string& colour);

/// Writes a report as the terminal at hand can show it. Throws UserError for an unknown format.
void show_report(const JournalContents& contents, const std::string& format, Language language,
                 std::ostream& out, const ReportOptions& options = terminal_options());

/// Writes a report to a file, whole or not at all; its plots go into a folder beside it.
void save_report(const JournalContents& contents, const std::string& format, Language language,
                 const std::filesystem::path& file, ReportOptions options = {});

/// Writes what `write` makes into a file, whole or not at all, and the plots it asks for into a
/// folder beside it: "report.md" has "report-plots/".
void save_with_plots(const std::filesystem::path& file, ReportOptions options,
                     const std::function<void(const ReportOptions&, std::ostream&)>& write);

/// "en" or "zh"; throws UserError for anything else.
Language parse_language(const std::string& name);

/// Finds a format, or throws UserError with those there are.
template <class Format>
const Format& format_named(const std::string& name) {
  const Format* found = Registry<Format>::find(name);
  if (found == nullptr) {
    throw UserError(fmt::format("unknown format '{}'; {}", printable(name),
                                suggest(name, Registry<Format>::names())));
  }
  return *found;
}

}  // namespace trainmark
