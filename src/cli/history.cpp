#include "report/history/history.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <iostream>
#include <memory>

#include "cli/command.h"
#include "cli/show_report.h"
#include "journal/journal.h"
#include "report/bundle/bundle.h"

namespace trainmark {

namespace {

namespace fs = std::filesystem;

struct HistoryArguments {
  std::vector<std::string> paths;
  std::string format = "table", language = "en", out, colour = "auto";
  double same = 1;  // percent
};

/// A folder of results, a bundle, or a folder of such folders (`results/`).
std::vector<std::string> journals_in(const std::string& path) {
  if (is_bundle(path) || has_journal(path)) return {path};
  std::vector<std::string> found;
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(path, error)) {
    const fs::path& place = entry.path();
    if (has_journal(place) || (is_bundle(place) && place.string().ends_with(".tar.zst")))
      found.push_back(place.string());
  }
  std::sort(found.begin(), found.end());
  if (found.empty()) {
    throw UserError(fmt::format(
        "{} holds no journal, nor does any folder in it; give folders that `trainmark run` has "
        "written, bundles, or the folder they are in",
        printable(path)));
  }
  return found;
}

HistoryJournal journal_of(const std::string& path, const OpenedResults& opened) {
  const JournalContents& contents = opened.contents();
  HistoryJournal journal{path, "", "", &contents, &opened.results()};
  if (!contents.suites.empty()) {
    journal.started = contents.suites.front().started;
    journal.trainmark = contents.suites.front().trainmark;
  } else if (!contents.runs.empty()) {
    journal.started = contents.runs.front().started;
  }
  return journal;
}

int history(const HistoryArguments& arguments) {
  const HistoryFormat& format = format_named<HistoryFormat>(arguments.format);
  std::vector<std::unique_ptr<OpenedResults>> opened;
  std::vector<HistoryJournal> journals;
  for (const std::string& given : arguments.paths) {
    for (const std::string& path : journals_in(given)) {
      opened.push_back(std::make_unique<OpenedResults>(path));
      journals.push_back(journal_of(path, *opened.back()));
    }
  }
  if (journals.size() < 2)
    throw UserError("a history needs two journals at least; give more folders of results");
  ChangeLimits limits;
  limits.same = arguments.same / 100;
  HistoryInput input = make_history(std::move(journals), limits);
  if (input.cells.empty())
    throw UserError("no cell stands in two of these journals: there is no history");
  input.language = parse_language(arguments.language);
  input.options = terminal_options(arguments.colour);
  if (arguments.out.empty()) {
    format.write(input, std::cout);
    std::cout.flush();
    return exit_well;
  }
  save_with_plots(arguments.out, {}, [&](const ReportOptions& options, std::ostream& out) {
    input.options = options;
    format.write(input, out);
  });
  return exit_well;
}

const Registration<Subcommand> registered(
    "history", {"many journals over time: where did a cell become faster or slower?",
                [](CLI::App& app) -> std::function<int()> {
                  auto arguments = std::make_shared<HistoryArguments>();
                  app.add_option("results", arguments->paths,
                                 "folders of results, bundles, or folders of them (results/)")
                      ->required();
                  app.add_option("--same", arguments->same,
                                 "a difference inside this many percent is none (default: 1)")
                      ->check(CLI::Range(0.01, 50.0));
                  app.add_option(
                      "--format", arguments->format,
                      join(Registry<HistoryFormat>::names(), ", ") + " (default: table)");
                  app.add_option("--lang", arguments->language, "en or zh (default: en)");
                  app.add_option("--out", arguments->out,
                                 "write into this file; plots of md go into a folder beside it");
                  add_colour_option(app, arguments->colour);
                  return [arguments] { return history(*arguments); };
                }});

}  // namespace

}  // namespace trainmark
