#include "bench/request.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>

#include "base/error.h"
#include "launch/in_container.h"
#include "launch/rank_variables.h"
#include "suite/data_sets.h"

// What is started for a cell: the words of the suite, the trainer's own and the container around
// them.

namespace trainmark {

namespace {

namespace fs = std::filesystem;

constexpr const char* label_name = "trainmark.run";
constexpr const char* label_to_be = "trainmark.run=RUN";  // until the run has a name

std::vector<std::string> names_of(const std::map<std::string, std::string>& variables) {
  std::vector<std::string> names;
  for (const auto& [name, value] : variables) names.push_back(name);
  return names;
}

/// What trainers and the programs of others have in common.
template <class Request>
ContainerUse use_of(const Container& container, const Cell& cell, const Request& request) {
  ContainerUse use;
  use.command = request.command;
  use.variables = names_of(request.variables);
  use.label = label_to_be;
  use.gpus = container.gpus && cell.device != "cpu";
  return use;
}

KeptContainers kept_by(const Container& container) {
  if (is_transparent(container.engine)) return {};
  return {container.engine, label_to_be};
}

/// `checkpoints`: a folder that the trainer writes to; empty where there is none.
void put_trainer_into(const Container& container, const Cell& cell, const std::string& checkpoints,
                      LaunchRequest& request) {
  ContainerUse use = use_of(container, cell, request);
  if (!checkpoints.empty()) use.mounts.push_back(fmt::format("{0}:{0}", checkpoints));
  const auto& of_rank = rank_variable_names();
  use.variables.insert(use.variables.end(), of_rank.begin(), of_rank.end());
  use.several = cell.scale.ranks() > 1;
  use.events = true;
  request.events_on_output = !is_transparent(container.engine);
  request.containers = kept_by(container);
  request.command = trainer_in_container(container, use);
}

const KeptContainers& containers_of(const RunRequest& request) {
  return std::visit([](const auto& any) -> const KeptContainers& { return any.containers; },
                    request);
}

}  // namespace

RunRequest make_request(const Cell& cell, std::uint64_t seed, std::size_t most_steps,
                        const Suite& suite, const Catalog& catalog,
                        const std::optional<QualityArguments>& quality) {
  const FrameworkOffer* offer = catalog.find(cell.framework_name());
  TRAINMARK_ASSERT(offer != nullptr);
  if (offer->foreign)
    return make_foreign_request(cell, seed, most_steps, suite.frameworks.at(offer->name));
  return make_trainer_request(cell, seed, most_steps, suite, *offer, quality);
}

LaunchRequest make_trainer_request(const Cell& cell, std::uint64_t seed, std::size_t most_steps,
                                   const Suite& suite, const FrameworkOffer& offer,
                                   const std::optional<QualityArguments>& quality) {
  LaunchRequest request;
  request.command = offer.program;
  const std::filesystem::path data =
      cell.data.empty() ? std::filesystem::path() : data_sets(suite).at(cell.data);
  for (auto& word : trainer_arguments(cell, seed, most_steps, data, quality)) {
    request.command.push_back(std::move(word));
  }
  request.scale = cell.scale;
  request.hosts = suite.hosts;
  request.launcher_arguments = suite.launcher_arguments;
  request.time_limit = suite.run_limit();
  const auto own = suite.frameworks.find(offer.name);
  if (own == suite.frameworks.end()) return request;
  request.command.insert(request.command.end(), own->second.arguments.begin(),
                         own->second.arguments.end());
  request.variables = own->second.environment;
  if (own->second.container)
    put_trainer_into(*own->second.container, cell, quality ? quality->checkpoint : "", request);
  return request;
}

ForeignRequest make_foreign_request(const Cell& cell, std::uint64_t seed, std::size_t most_steps,
                                    const FrameworkSettings& own, int node) {
  const ForeignCommand& foreign = *own.foreign;
  const CommandUse filling{cell, seed, most_steps, node};
  ForeignRequest request;
  request.command = words_of_command(foreign, own.arguments, filling);
  for (const auto& [name, value] : own.environment)
    request.variables[name] = fill_in(value, filling);
  // Python holds back what it prints into a pipe until it has some kilobytes of it.
  request.variables.emplace("PYTHONUNBUFFERED", "1");
  if (!foreign.folder.empty()) request.folder = fs::absolute(foreign.folder);
  if (!own.container) return request;
  const ContainerUse use = use_of(*own.container, cell, request);
  request.containers = kept_by(*own.container);
  request.command = container_command(*own.container, use);
  return request;
}

void label_containers(RunRequest& request, const std::string& run) {
  std::visit(
      [&](auto& any) {
        if (any.containers.engine.empty()) return;
        any.containers.label = fmt::format("{}={}-{}", label_name, getpid(), run);
        std::replace(any.command.begin(), any.command.end(), std::string(label_to_be),
                     any.containers.label);
      },
      request);
}

LaunchPlan plan_request(const RunRequest& request, const Launcher& launcher) {
  if (const auto* foreign = std::get_if<ForeignRequest>(&request)) return plan_foreign(*foreign);
  return launcher.plan(std::get<LaunchRequest>(request));
}

std::unique_ptr<Processes> start_request(const RunRequest& request, const Launcher& launcher,
                                         StreamSink sink) {
  if (const auto* foreign = std::get_if<ForeignRequest>(&request))
    return start_foreign(*foreign, std::move(sink));
  return launcher.start(std::get<LaunchRequest>(request), std::move(sink));
}

int started_ranks(const RunRequest& request) {
  const auto* ranked = std::get_if<LaunchRequest>(&request);
  return ranked == nullptr ? 1 : ranked->scale.ranks();
}

StopManner stop_manner(const RunRequest& request) {
  return std::holds_alternative<ForeignRequest>(request) ? StopManner::interrupt
                                                         : StopManner::finish_step;
}

bool is_kept_by_engine(const RunRequest& request) {
  return !containers_of(request).engine.empty();
}

bool can_hold(const RunRequest& request, const Launcher& launcher) {
  if (is_kept_by_engine(request)) return false;
  const auto* ranked = std::get_if<LaunchRequest>(&request);
  return ranked == nullptr || launcher.can_hold(*ranked);
}

void remove_left_containers(const RunRequest& request) {
  const KeptContainers& containers = containers_of(request);
  if (!containers.engine.empty()) remove_containers(containers);
}

LiveOptions live_options(const PlannedCell& planned, const ForeignCommand& foreign) {
  LiveOptions options;
  options.dialect = foreign.dialect.value;
  options.pattern = foreign.pattern.value;
  if (const auto* marker = foreign.fact("marker")) options.marker = marker->value;
  if (!foreign.scope.value.empty()) options.scope = foreign.scope.value;
  GivenFacts& given = options.given;
  given.sources = planned.said;
  const Cell& cell = planned.cell;
  options.accumulate = cell.accumulate;
  if (planned.said.contains("batch")) given.batch = cell.batch;
  if (planned.said.contains("gpus")) given.gpus = cell.scale.ranks();
  if (planned.said.contains("nodes")) given.nodes = cell.scale.nodes;
  if (planned.said.contains("precision")) given.precision = cell.precision;
  if (const auto* unit = foreign.fact("unit")) {
    given.unit = unit->value.ends_with("/s") ? unit->value : unit->value + "/s";
    given.sources["unit"] = unit->place.text();
  }
  return options;
}

void check_commands(const Suite& suite) {
  for (const auto& [name, settings] : suite.frameworks) {
    if (!settings.foreign) continue;
    const ForeignCommand& foreign = *settings.foreign;
    const auto* marker = foreign.fact("marker");
    const Placed<std::string>& guide = marker != nullptr                ? *marker
                                       : !foreign.pattern.value.empty() ? foreign.pattern
                                       : !foreign.dialect.value.empty() ? foreign.dialect
                                                                        : foreign.scope;
    try {
      check_live_options(live_options({}, foreign));
    } catch (const UserError& error) {
      fail_at(guide.place, error.what());
    }
  }
}

}  // namespace trainmark
