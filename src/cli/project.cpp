#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <iostream>
#include <map>
#include <memory>

#include "base/error.h"
#include "base/files.h"
#include "base/text.h"
#include "cli/command.h"
#include "cli/show_report.h"
#include "journal/journal.h"
#include "report/projection/projection.h"
#include "suite/scaling_points.h"

namespace trainmark {

namespace {

constexpr std::size_t largest_points_file = 1 << 20;
constexpr int most_ranks = 1 << 20;
// Of a figure that comes without an interval: repeated runs of public reports differ by about this.
constexpr double usual_error = 0.01;

struct ProjectArguments {
  std::string source, only, format = "table";
  int up_to = 1024;
  std::optional<int> fit_up_to, per_node;
  std::optional<double> parameters, gradient_bytes;
  std::optional<double> inside, between;  // GB/s
  std::optional<double> if_batch, if_inside, if_between;
  std::string if_precision;
};

/// A job at all of its measured scales.
struct Job {
  std::string name, unit;
  std::string precision;
  std::string other_precisions_key;  // of the same job at any precision
  bool on_cpu = false;
  double batch = 0;
  double parameters = 0;
  double bytes_of_gradient = 4;
  std::vector<ScalePoint> points;
};

/// The cell without what a projection changes.
std::string key_without(Cell cell, bool precision) {
  cell.scale = {};
  if (precision) cell.precision.clear();
  const std::string key = cell.key();
  return key.substr(0, key.rfind('/'));
}

double half_width(const CellThroughput& throughput) {
  return (throughput.interval.high - throughput.interval.low) / 2 / throughput.value;
}

double sent_parameters(const Result& result) {
  const nlohmann::json& trainer = result.runs.front()->trainer;
  const auto found = trainer.find("parameters");
  return found != trainer.end() && found->is_number() ? found->get<double>() : 0;
}

Job job_of(const Result& result) {
  Job job;
  job.name = key_without(result.cell, false);
  job.other_precisions_key = key_without(result.cell, true);
  job.precision = result.cell.precision;
  job.unit = result.unit;
  job.on_cpu = result.cell.device == "cpu";
  job.batch = static_cast<double>(result.cell.batch) * result.cell.accumulate;
  job.parameters = sent_parameters(result);
  job.bytes_of_gradient = result.cell.precision == "fp16" ? 2 : 4;
  return job;
}

std::vector<Job> jobs_of(const std::vector<Result>& results) {
  std::map<std::string, Job> jobs;
  for (const Result& result : results) {
    if (result.runs.empty()) continue;
    Job& job = jobs.try_emplace(key_without(result.cell, false), job_of(result)).first->second;
    // Half of a 95 % interval is about two standard errors.
    job.points.push_back({result.cell.scale, result.throughput.median,
                          std::max(usual_error, half_width(result.throughput) / 2)});
  }
  std::vector<Job> list;
  for (auto& [key, job] : jobs) list.push_back(std::move(job));
  return list;
}

std::vector<Job> jobs_of(const std::vector<ScalingPoints>& published) {
  std::vector<Job> jobs;
  for (const ScalingPoints& points : published) {
    Job job;
    job.name = points.name;
    job.unit = points.unit;
    job.batch = points.batch;
    job.parameters = points.parameters;
    job.bytes_of_gradient = points.gradient_bytes;
    for (const auto& [scale, throughput] : points.points)
      job.points.push_back({scale, throughput, usual_error});
    jobs.push_back(std::move(job));
  }
  return jobs;
}

std::vector<Job> read_jobs(const std::string& source) {
  if (std::filesystem::is_directory(source)) {
    const JournalContents contents = read_journal(source);
    return jobs_of(results_of(contents));
  }
  return jobs_of(parse_scaling_points(read_file(source, largest_points_file), source));
}

/// What is known of links where nobody has told: a wide range around what such machines have.
LinkSpeed link(const std::optional<double>& told, double usual, double factor) {
  constexpr double giga = 1e9;
  // All-reduces reach 50 to 100 % of what a link is sold for.
  if (told) return {0.7 * giga * *told, 1.5};
  return {giga * usual, factor};
}

ProjectionInput input_of(const Job& job, const ProjectArguments& arguments) {
  ProjectionInput input;
  for (const ScalePoint& point : job.points) {
    if (!arguments.fit_up_to || point.scale.ranks() <= *arguments.fit_up_to)
      input.points.push_back(point);
  }
  if (input.points.empty()) {
    throw UserError(fmt::format("{}: no scale of at most {} ranks was measured; raise --fit-up-to",
                                job.name, arguments.fit_up_to.value_or(0)));
  }
  if (!(job.batch > 0))
    throw UserError(fmt::format("{}: its batch size is not known", printable(job.name)));
  const double parameters = arguments.parameters.value_or(job.parameters);
  if (!(parameters > 0)) {
    throw UserError(
        fmt::format("{}: it is not known how many parameters it has; write --parameters 25.6e6",
                    printable(job.name)));
  }
  input.items_per_rank = job.batch;
  input.gradient_bytes = parameters * arguments.gradient_bytes.value_or(job.bytes_of_gradient);
  input.inside = link(arguments.inside, job.on_cpu ? 2 : 50, job.on_cpu ? 5 : 4);
  input.between = link(arguments.between, job.on_cpu ? 1 : 5, 5);
  return input;
}

/// The compute time at another precision is what was measured at it, on the smallest scale of both.
double precision_factor(const Job& job, const std::vector<Job>& jobs, const std::string& wanted) {
  for (const Job& other : jobs) {
    if (other.precision != wanted || other.other_precisions_key != job.other_precisions_key)
      continue;
    for (const ScalePoint& point : job.points) {
      for (const ScalePoint& theirs : other.points) {
        if (theirs.scale == point.scale) return point.throughput / theirs.throughput;
      }
    }
  }
  throw UserError(
      fmt::format("{}: nothing was measured at precision '{}' and the same scale, so that nobody "
                  "knows how long it computes; measure it at 1n1g",
                  printable(job.name), printable(wanted)));
}

WhatIf change_of(const Job& job, const std::vector<Job>& jobs, const ProjectArguments& arguments) {
  WhatIf change;
  if (arguments.if_batch) {
    change.items = *arguments.if_batch / job.batch;
    change.compute = change.items;
  }
  if (!arguments.if_precision.empty() && arguments.if_precision != job.precision) {
    change.compute *= precision_factor(job, jobs, arguments.if_precision);
    change.bytes = (arguments.if_precision == "fp16" ? 2 : 4) / job.bytes_of_gradient;
  }
  if (arguments.if_inside) change.inside = 1e9 * *arguments.if_inside;
  if (arguments.if_between) change.between = 1e9 * *arguments.if_between;
  return change;
}

std::string change_text(const ProjectArguments& arguments) {
  std::vector<std::string> parts;
  if (arguments.if_batch) parts.push_back(fmt::format("the batch were {:g}", *arguments.if_batch));
  if (!arguments.if_precision.empty())
    parts.push_back("the precision were " + arguments.if_precision);
  if (arguments.if_inside)
    parts.push_back(
        fmt::format("all-reduces ran at {:g} GB/s inside a node", *arguments.if_inside));
  if (arguments.if_between)
    parts.push_back(
        fmt::format("all-reduces ran at {:g} GB/s between nodes", *arguments.if_between));
  return join(parts, " and ");
}

/// The measured scales, and nodes by doubling from one that is full.
std::vector<Scale> scales_of(const Job& job, const ProjectArguments& arguments) {
  std::vector<Scale> scales;
  int widest = 1;
  for (const ScalePoint& point : job.points) {
    scales.push_back(point.scale);
    widest = std::max(widest, point.scale.per_node);
  }
  const int per_node = arguments.per_node.value_or(widest);
  for (int nodes = 1; static_cast<long>(nodes) * per_node <= arguments.up_to; nodes *= 2)
    scales.push_back({nodes, per_node});
  const auto size = [](const Scale& scale) { return std::pair(scale.ranks(), scale); };
  std::sort(scales.begin(), scales.end(),
            [&](const Scale& left, const Scale& right) { return size(left) < size(right); });
  scales.erase(std::unique(scales.begin(), scales.end()), scales.end());
  return scales;
}

ProjectionTable table_of(const Job& job, const std::vector<Job>& jobs,
                         const ProjectArguments& arguments) {
  const ProjectionInput input = input_of(job, arguments);
  const Projection projection(input);
  const WhatIf change = change_of(job, jobs, arguments);
  ProjectionTable table{
      job.name, job.unit, change_text(arguments), projection.plausible_share(), {}};
  for (const Scale& scale : scales_of(job, arguments)) {
    ProjectionRow row;
    row.projected = projection.at(scale, change);
    const auto at_scale = [&](const ScalePoint& point) { return point.scale == scale; };
    const auto measured = std::find_if(job.points.begin(), job.points.end(), at_scale);
    if (measured != job.points.end() && table.change.empty()) {
      row.measured = measured->throughput;
      row.fitted = std::any_of(input.points.begin(), input.points.end(), at_scale);
    }
    table.rows.push_back(row);
  }
  return table;
}

int project(const ProjectArguments& arguments) {
  if (arguments.format != "table" && arguments.format != "json") {
    throw UserError(fmt::format("unknown format '{}'; {}", printable(arguments.format),
                                suggest(arguments.format, {"table", "json"})));
  }
  const std::vector<Job> jobs = read_jobs(arguments.source);
  std::vector<ProjectionTable> tables;
  for (const Job& job : jobs) {
    const bool wanted = arguments.only.empty() ||
                        job.name.find(arguments.only) != std::string::npos ||
                        glob_match(arguments.only, job.name);
    if (wanted) tables.push_back(table_of(job, jobs, arguments));
  }
  if (tables.empty()) {
    throw UserError(jobs.empty()
                        ? fmt::format("{}: no run finished well there", arguments.source)
                        : fmt::format("--only {}: no such job", printable(arguments.only)));
  }
  if (arguments.format == "json") {
    write_projections_json(tables, std::cout);
  } else {
    write_projections(tables, terminal_options(), std::cout);
  }
  return exit_well;
}

const Registration<Subcommand> registered(
    "project",
    {"what would larger scales do? From measured ones, with its uncertainty",
     [](CLI::App& app) -> std::function<int()> {
       auto arguments = std::make_shared<ProjectArguments>();
       const CLI::Range speed(1e-6, 1e6);
       app.add_option("source", arguments->source,
                      "a folder of results, or a YAML file of throughputs (docs/projecting.md)")
           ->required()
           ->check(CLI::ExistingPath);
       app.add_option("--only", arguments->only, "jobs with this in their name, or a pattern");
       app.add_option("--up-to", arguments->up_to, "the largest number of ranks (default: 1024)")
           ->check(CLI::Range(1, most_ranks));
       app.add_option("--per-node", arguments->per_node,
                      "ranks of a node (default: the most that were measured)")
           ->check(CLI::Range(1, 1024));
       app.add_option("--fit-up-to", arguments->fit_up_to,
                      "fit on scales of at most so many ranks, and show how far off the others are")
           ->check(CLI::Range(1, most_ranks));
       app.add_option("--parameters", arguments->parameters,
                      "whose gradients are sent (default: what the trainer told)")
           ->check(CLI::Range(1.0, 1e15));
       app.add_option("--gradient-bytes", arguments->gradient_bytes,
                      "of one parameter (default: 4; fp16: 2)")
           ->check(CLI::Range(0.01, 64.0));
       app.add_option("--inside", arguments->inside, "speed of the links inside a node, GB/s")
           ->check(speed);
       app.add_option("--between", arguments->between, "speed of a node's links to others, GB/s")
           ->check(speed);
       app.add_option("--if-batch", arguments->if_batch, "what if the batch of a rank were this?")
           ->check(CLI::Range(1e-3, 1e9));
       app.add_option("--if-precision", arguments->if_precision,
                      "what if the precision were this? (measured at one scale at least)");
       app.add_option("--if-inside", arguments->if_inside,
                      "what if all-reduces ran at so many GB/s inside a node?")
           ->check(speed);
       app.add_option("--if-between", arguments->if_between,
                      "what if all-reduces ran at so many GB/s between nodes?")
           ->check(speed);
       app.add_option("--format", arguments->format, "table or json (default: table)");
       return [arguments] { return project(*arguments); };
     }});

}  // namespace

}  // namespace trainmark
