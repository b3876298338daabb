#include <fmt/format.h>

#include <memory>

#include "base/error.h"
#include "base/option_checks.h"
#include "base/output.h"
#include "base/text.h"
#include "base/waiting.h"
#include "cli/command.h"
#include "cli/examples.h"
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
  const std::vector<MeasuredSeries> all = [&] {
    const Waiting waiting("reading " + printable(arguments.source));
    return read_measured_series(arguments.source);
  }();
  std::vector<ProjectionTable> tables;
  std::vector<std::string> left_out;  // whose scales cannot be told, and why
  for (const MeasuredSeries& series : all) {
    const bool wanted = arguments.only.empty() ||
                        series.name.find(arguments.only) != std::string::npos ||
                        glob_match(arguments.only, series.name);
    if (!wanted) continue;
    try {
      tables.push_back(project_series(series, all, arguments.options));
    } catch (const UserError& error) {
      left_out.emplace_back(error.what());
    }
  }
  if (tables.empty() && !left_out.empty()) throw UserError(left_out.front());
  for (const std::string& reason : left_out) say("left out: {}", reason);
  if (tables.empty()) {
    throw UserError(all.empty() ? fmt::format("{}: it contains no successful run", arguments.source)
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
    {"predict larger scales from measured ones, with uncertainty",
     [](CLI::App& app) -> std::function<int()> {
       auto arguments = std::make_shared<ProjectArguments>();
       ProjectionOptions& options = arguments->options;
       const CLI::Validator speed = number_from(1e-6, 1e6);
       app.add_option("source", arguments->source,
                      "a folder of results, or a CSV of published figures (docs/reports.md)")
           ->required();
       app.add_option("--only", arguments->only, "jobs with this in their name, or a pattern");
       app.add_option("--up-to", options.up_to, "the largest number of ranks (default: 1024)")
           ->check(whole_from(1, most_ranks));
       app.add_option("--per-node", options.per_node,
                      "ranks per node (default: the most that were measured)")
           ->check(whole_from(1, 1024));
       app.add_option("--fit-up-to", options.fit_up_to,
                      "fit on scales of at most this many ranks, and show the error for the others")
           ->check(whole_from(1, most_ranks));
       app.add_option("--parameters", options.parameters,
                      "number of parameters (default: as reported by the trainer)")
           ->check(number_from(1.0, 1e15));
       app.add_option("--gradient-bytes", options.gradient_bytes,
                      "bytes per gradient element (default: 4; fp16: 2)")
           ->check(number_from(0.01, 64.0));
       app.add_option("--inside", options.inside, "speed of the links inside a node, GB/s")
           ->check(speed);
       app.add_option("--between", options.between, "speed of a node's links to others, GB/s")
           ->check(speed);
       app.add_option("--if-batch", options.if_batch, "assume this batch per rank")
           ->check(number_from(1e-3, 1e9));
       app.add_option("--if-precision", options.if_precision,
                      "assume this precision (measured at one scale at least)");
       app.add_option("--if-inside", options.if_inside,
                      "assume all-reduces at this many GB/s inside a node")
           ->check(speed);
       app.add_option("--if-between", options.if_between,
                      "assume all-reduces at this many GB/s between nodes")
           ->check(speed);
       app.add_option("--format", arguments->format, "table or json (default: table)");
       add_examples(app, {{"trainmark project results/scaling", "up to 1024 ranks"},
                          {"trainmark project results/scaling --if-between 50",
                           "with faster links between nodes"}});
       return [arguments] { return project(*arguments); };
     }});

}  // namespace

}  // namespace trainmark
