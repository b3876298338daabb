#include <fmt/format.h>

#include <memory>

#include "base/error.h"
#include "base/option_checks.h"
#include "base/output.h"
#include "base/text.h"
#include "cli/command.h"
#include "cli/show_report.h"
#include "report/projection/project.h"

namespace trainmark {

namespace {

constexpr int most_ranks = 1 << 20;

struct ProjectArguments {
  std::string source, only, format = "table";
  ProjectionOptions options;
};

int project(const ProjectArguments& arguments) {
  if (arguments.format != "table" && arguments.format != "json") {
    throw UserError(fmt::format("unknown format '{}'; {}", printable(arguments.format),
                                suggest(arguments.format, {"table", "json"})));
  }
  const std::vector<MeasuredSeries> all = read_measured_series(arguments.source);
  std::vector<ProjectionTable> tables;
  for (const MeasuredSeries& series : all) {
    const bool wanted = arguments.only.empty() ||
                        series.name.find(arguments.only) != std::string::npos ||
                        glob_match(arguments.only, series.name);
    if (wanted) tables.push_back(project_series(series, all, arguments.options));
  }
  if (tables.empty()) {
    throw UserError(all.empty() ? fmt::format("{}: no run finished well there", arguments.source)
                                : fmt::format("--only {}: no such job", printable(arguments.only)));
  }
  if (arguments.format == "json") {
    write_projections_json(tables, standard_output());
  } else {
    write_projections(tables, terminal_options(), standard_output());
  }
  return exit_well;
}

const Registration<Subcommand> registered(
    "project",
    {"what would larger scales do? From measured ones, with its uncertainty",
     [](CLI::App& app) -> std::function<int()> {
       auto arguments = std::make_shared<ProjectArguments>();
       ProjectionOptions& options = arguments->options;
       const CLI::Validator speed = number_from(1e-6, 1e6);
       app.add_option("source", arguments->source,
                      "a folder of results, or a YAML file of throughputs (docs/projecting.md)")
           ->required();
       app.add_option("--only", arguments->only, "jobs with this in their name, or a pattern");
       app.add_option("--up-to", options.up_to, "the largest number of ranks (default: 1024)")
           ->check(whole_from(1, most_ranks));
       app.add_option("--per-node", options.per_node,
                      "ranks of a node (default: the most that were measured)")
           ->check(whole_from(1, 1024));
       app.add_option("--fit-up-to", options.fit_up_to,
                      "fit on scales of at most so many ranks, and show how far off the others are")
           ->check(whole_from(1, most_ranks));
       app.add_option("--parameters", options.parameters,
                      "whose gradients are sent (default: what the trainer told)")
           ->check(number_from(1.0, 1e15));
       app.add_option("--gradient-bytes", options.gradient_bytes,
                      "of one parameter (default: 4; fp16: 2)")
           ->check(number_from(0.01, 64.0));
       app.add_option("--inside", options.inside, "speed of the links inside a node, GB/s")
           ->check(speed);
       app.add_option("--between", options.between, "speed of a node's links to others, GB/s")
           ->check(speed);
       app.add_option("--if-batch", options.if_batch, "what if the batch of a rank were this?")
           ->check(number_from(1e-3, 1e9));
       app.add_option("--if-precision", options.if_precision,
                      "what if the precision were this? (measured at one scale at least)");
       app.add_option("--if-inside", options.if_inside,
                      "what if all-reduces ran at so many GB/s inside a node?")
           ->check(speed);
       app.add_option("--if-between", options.if_between,
                      "what if all-reduces ran at so many GB/s between nodes?")
           ->check(speed);
       app.add_option("--format", arguments->format, "table or json (default: table)");
       return [arguments] { return project(*arguments); };
     }});

}  // namespace

}  // namespace trainmark
