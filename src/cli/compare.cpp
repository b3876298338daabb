#include <fmt/format.h>

#include <future>
#include <memory>

#include "base/error.h"
#include "base/option_checks.h"
#include "base/output.h"
#include "base/text.h"
#include "cli/command.h"
#include "cli/examples.h"
#include "cli/output_path.h"
#include "cli/show_report.h"
#include "report/bundle/bundle.h"
#include "report/comparison/gate.h"
#include "report/comparison/match.h"

namespace trainmark {

namespace {

struct CompareArguments {
  std::string base, next;
  std::string format = "table", language = "en", out, colour = "auto";
  Gate gate;
  double same = 1;  // percent
};

int compare(const CompareArguments& arguments) {
  const ComparisonFormat& format = format_named<ComparisonFormat>(arguments.format);
  if (!arguments.out.empty())
    check_output_file("--out", arguments.out, {arguments.base, arguments.next});
  const auto opened = [](const std::string& path) { return std::make_unique<OpenedResults>(path); };
  // Large journals take a second each to read.
  auto reading = std::async(std::launch::async, opened, arguments.base);
  const auto next = opened(arguments.next);
  const auto base = reading.get();
  ComparisonInput input = match_cells({arguments.base, base->results()},
                                      {arguments.next, next->results()}, arguments.same / 100);
  if (input.cells.empty()) {
    throw UserError(fmt::format("{} and {} have no cell in common: there is nothing to compare",
                                arguments.base, arguments.next));
  }
  input.language = parse_language(arguments.language);
  input.environments = environment_differences({&base->contents(), &next->contents()});
  input.lost_proofs = lost_proofs(base->contents().proofs, next->contents().proofs);
  input.gate = gate_reasons(arguments.gate, input);
  input.options = terminal_options(arguments.colour);
  if (arguments.out.empty()) {
    format.write(input, standard_output());
    standard_output().flush();
  } else {
    input.options = {};
    save_with_plots(arguments.out, {},
                    [&](const ReportOptions&, std::ostream& out) { format.write(input, out); });
  }

  for (const GateReason& reason : input.gate)
    say("gate: {}: {}", printable(reason.key), gate_text(reason, Language::en));
  return input.gate.empty() ? exit_well : exit_failed;
}

const Registration<Subcommand> compare_command(
    "compare",
    {"compare two results: faster, slower, same or unclear, with an interval",
     [](CLI::App& app) -> std::function<int()> {
       auto arguments = std::make_shared<CompareArguments>();
       app.add_option("base", arguments->base, "a folder of results, or a bundle")->required();
       app.add_option("new", arguments->next, "another one, of the same cells")->required();
       CLI::Option* slower =
           app.add_option("--fail-on-slower", arguments->gate.slower,
                          "exit with 1 if a cell is slower by at least this many percent, no "
                          "longer trains, trains something else (see verify), or is missing from "
                          "NEW")
               ->check(number_from(0, 100));
       app.add_flag("--allow-missing", arguments->gate.allow_missing,
                    "with --fail-on-slower: accept cells that are missing from NEW")
           ->needs(slower);
       app.add_flag("--fail-on-unclear", arguments->gate.unclear,
                    "also exit with 1 if an answer is unclear");
       app.add_option("--same", arguments->same,
                      "differences within this many percent count as the same (default: 1)")
           ->check(number_from(0.01, 50));
       app.add_option("--format", arguments->format,
                      join(Registry<ComparisonFormat>::names(), ", ") + " (default: table)");
       app.add_option("--lang", arguments->language, "en or zh (default: en)");
       add_path_option(app, "--out", arguments->out, "write to this file");
       add_colour_option(app, arguments->colour);
       add_examples(app, {{"trainmark compare results/before results/after", "cell by cell"},
                          {"trainmark compare base.tar.zst results/new --fail-on-slower 2",
                           "a gate for continuous integration"}});
       return [arguments] { return compare(*arguments); };
     }});

}  // namespace

}  // namespace trainmark
