#include "cli/show_report.h"

#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <ostream>
#include <sstream>

#include "base/files.h"
#include "base/json_fields.h"
#include "base/terminal.h"
#include "base/text.h"
#include "base/waiting.h"
#include "report/plots/plot_names.h"
#include "suite/yaml_reader.h"

namespace trainmark {

namespace {

constexpr std::int64_t narrowest = 20, widest = 10'000;

std::string variable(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? "" : value;
}

/// What the user says with COLUMNS, else what the terminal says; 0 = as wide as it needs to be.
std::size_t columns() {
  const auto said = parse_integer(variable("COLUMNS"));
  if (said && *said >= narrowest && *said <= widest) return static_cast<std::size_t>(*said);
  winsize size{};
  if (isatty(STDOUT_FILENO) != 0 && ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0)
    return size.ws_col;
  return 0;
}

/// Runs are shuffled, and what is read should not be. Published tables stay as their authors made
/// them.
bool holds_published(const JournalContents& contents) {
  return std::any_of(contents.runs.begin(), contents.runs.end(), [](const RunRecord& run) {
    return json_field(run.trainer, "published") != nullptr;
  });
}

void write(const JournalContents& contents, const std::string& format, Language language,
           const ReportOptions& options, std::ostream& out) {
  const ReportFormat& found = format_named<ReportFormat>(format);
  std::vector<Result> results = results_of(contents);
  if (!holds_published(contents)) {
    std::stable_sort(results.begin(), results.end(),
                     [](const Result& a, const Result& b) { return a.cell < b.cell; });
  }
  found.write({contents, results, language, options}, out);
}

}  // namespace

ReportOptions terminal_options(const std::string& colour) {
  if (colour != "auto" && colour != "always" && colour != "never")
    throw UserError(fmt::format("--color {}: write auto, always or never", printable(colour)));
  ReportOptions options;
  const bool terminal = isatty(STDOUT_FILENO) != 0;
  options.width = columns();
  options.colour =
      colour == "always" ||
      (colour == "auto" && terminal && variable("NO_COLOR").empty() && variable("TERM") != "dumb");
  // A file keeps what a terminal could not show.
  options.unicode = !terminal || shows_unicode();
  return options;
}

CLI::Option* add_price_option(CLI::App& app, std::string& price) {
  return app.add_option(
      "--price-per-hour", price,
      "what an hour of one device costs, such as 2.49, or of a whole node: 19.92/node; "
      "tables then say what a million items cost");
}

std::optional<Price> given_price(const std::string& text) {
  if (text.empty()) return std::nullopt;
  return parse_price(text);
}

void add_colour_option(CLI::App& app, std::string& colour) {
  app.add_option("--color", colour,
                 "auto, always or never (default: auto, on a terminal without NO_COLOR)");
}

void show_report(const JournalContents& contents, const std::string& format, Language language,
                 std::ostream& out, const ReportOptions& options) {
  write(contents, format, language, options, out);
  out.flush();
}

void save_with_plots(const std::filesystem::path& file, ReportOptions options,
                     const std::function<void(const ReportOptions&, std::ostream&)>& write_report) {
  const Waiting waiting(fmt::format("writing {}", printable(file.string())));
  PlotNames plots(file.stem().string() + "-plots");
  const std::filesystem::path folder = std::filesystem::absolute(file).parent_path();
  options.add_plot = [&](const std::string& name, const std::string& svg) {
    return plots.add(name, svg);
  };
  std::ostringstream text;
  write_report(options, text);
  for (const auto& [path, svg] : plots.all()) {
    make_folders((folder / path).parent_path());
    write_file_atomically(folder / path, svg);
  }
  write_file_atomically(file, text.str());
}

void save_report(const JournalContents& contents, const std::string& format, Language language,
                 const std::filesystem::path& file, ReportOptions options) {
  if (options.page_folder.empty())
    options.page_folder = std::filesystem::absolute(file).parent_path();
  save_with_plots(file, std::move(options), [&](const ReportOptions& all, std::ostream& out) {
    write(contents, format, language, all, out);
  });
}

Language parse_language(const std::string& name) {
  const auto language = language_of(name);
  if (!language) {
    throw UserError(fmt::format("unknown language '{}'; write en or zh", printable(name)));
  }
  return *language;
}

}  // namespace trainmark
