#include <fmt/format.h>
#include <unistd.h>

#include <cmath>

#include "base/error.h"
#include "base/option_checks.h"
#include "base/output.h"
#include "base/text.h"
#include "cli/command.h"
#include "cli/examples.h"
#include "cli/file_progress.h"
#include "cli/output_path.h"
#include "cli/show_report.h"
#include "logs/described/described.h"
#include "report/audit/audit_format.h"

namespace trainmark {

namespace {

struct AuditArguments {
  std::string table, folder;
  std::string format = "table", language = "en", out, colour = "auto";
  bool default_rule = false;
  std::optional<double> fail_over;  // percent
};

std::filesystem::path folder_of(const AuditArguments& arguments) {
  if (!arguments.folder.empty()) return arguments.folder;
  const std::filesystem::path beside = std::filesystem::path(arguments.table).parent_path();
  return beside.empty() ? "." : beside;
}

void write_audit(const AuditArguments& arguments, const AuditFormat& format, const Audit& audit,
                 Language language) {
  if (arguments.out.empty()) {
    format.write({audit, language, terminal_options(arguments.colour)}, standard_output());
    standard_output().flush();
    return;
  }
  save_with_plots(arguments.out, {}, [&](const ReportOptions& options, std::ostream& out) {
    format.write({audit, language, options}, out);
  });
  say("{}", audit_summary(audit, Language::en));
  say("written: {}", arguments.out);
}

/// What breaks the gate, one line each.
bool is_within(const Audit& audit, double percent) {
  bool well = true;
  for (const AuditedClaim& claim : audit.claims) {
    if (!(std::abs(100 * claim.off) > percent)) continue;
    say("gate: {}: {}", printable(claim.claim.log), difference_text(claim));
    well = false;
  }
  return well;
}

int audit(const AuditArguments& arguments) {
  if (std::filesystem::is_directory(arguments.table))
    throw UserError(fmt::format(
        "{} is a folder; name the table with the published figures first, then the folder of their "
        "logs: trainmark audit figures.csv {}",
        arguments.table, arguments.table));
  const AuditFormat& format = format_named<AuditFormat>(arguments.format);
  const Language language = parse_language(arguments.language);
  const auto folder = folder_of(arguments);
  if (!arguments.out.empty()) check_output_file("--out", arguments.out, {arguments.table});
  if (arguments.out.empty() && format.for_browsers && isatty(STDOUT_FILENO) != 0)
    throw UserError(fmt::format("--format {} makes a page for browsers; write --out FILE.html, too",
                                arguments.format));
  add_own_dialects();
  const Claims claims = read_claims(arguments.table, folder);
  FileProgress progress;
  Audit result = audit_claims(
      claims, {!arguments.default_rule,
               [&](std::size_t done, std::size_t files) { progress.show(done, files); }});
  result.table = arguments.table;
  result.folder = folder.string();
  write_audit(arguments, format, result, language);
  const bool within = !arguments.fail_over || is_within(result, *arguments.fail_over);
  return within && result.count(Grade::missing) == 0 ? exit_well : exit_failed;
}

const Registration<Subcommand> audit_command(
    "audit", {"recompute published figures from their logs, and explain differences",
              [](CLI::App& app) -> std::function<int()> {
                auto arguments = std::make_shared<AuditArguments>();
                app.add_option(
                       "table", arguments->table,
                       "a CSV with the columns log and published (docs/audit.md lists others), or "
                       "a Markdown page whose tables link to logs")
                    ->required();
                app.add_option("logs", arguments->folder,
                               "the folder that holds the logs (default: that of the table)");
                app.add_flag("--default-rule", arguments->default_rule,
                             "read every log as `extract` does, whatever rules the table names");
                app.add_option("--fail-over", arguments->fail_over,
                               "exit with 1 where a figure is off by more than this many percent")
                    ->check(number_from(0, 1000));
                app.add_option("--format", arguments->format,
                               join(Registry<AuditFormat>::names(), ", ") + " (default: table)");
                app.add_option("--lang", arguments->language, "en or zh (default: en)");
                add_path_option(app, "--out", arguments->out, "write to this file");
                add_colour_option(app, arguments->colour);
                add_examples(app, {{"trainmark audit figures.csv logs/",
                                    "do published figures follow from their logs?"},
                                   {"trainmark audit figures.csv logs/ --fail-over 10",
                                    "a gate: no figure is off by more than 10 %"},
                                   {"trainmark audit README.md --format html --out audit.html",
                                    "a page, from a report that links to its logs"}});
                return [arguments] { return audit(*arguments); };
              }});

}  // namespace

}  // namespace trainmark
