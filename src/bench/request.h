#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <variant>

#include "bench/stop_sequence.h"
#include "launch/foreign.h"
#include "launch/launcher.h"
#include "logs/live_log.h"
#include "suite/catalog.h"
#include "suite/plan.h"

namespace trainmark {

/// What is started for a run: the ranks of a trainer of ours, or a command that was not written for
/// Trainmark. All that is done differently with the two is here.
using RunRequest = std::variant<LaunchRequest, ForeignRequest>;

/// The command that asks for a cell, with everything a suite adds. `quality`: of a cell that is
/// trained to one.
RunRequest make_request(const Cell& cell, std::uint64_t seed, std::size_t most_steps,
                        const Suite& suite, const Catalog& catalog,
                        const std::optional<QualityArguments>& quality = {});
LaunchRequest make_trainer_request(const Cell& cell, std::uint64_t seed, std::size_t most_steps,
                                   const Suite& suite, const FrameworkOffer& offer,
                                   const std::optional<QualityArguments>& quality = {});
/// `node`: of a job on several.
ForeignRequest make_foreign_request(const Cell& cell, std::uint64_t seed, std::size_t most_steps,
                                    const FrameworkSettings& own, int node = 0);

/// Gives the containers of a request the name of its run, by which they are found again.
void label_containers(RunRequest& request, const std::string& run);

/// Throws UserError where the launcher cannot do what is asked.
LaunchPlan plan_request(const RunRequest& request, const Launcher& launcher);
std::unique_ptr<Processes> start_request(const RunRequest& request, const Launcher& launcher,
                                         StreamSink sink);
/// Of which the bench knows; a foreign command is one.
int started_ranks(const RunRequest& request);
StopManner stop_manner(const RunRequest& request);
/// Docker and podman keep containers by a service of their own: we reach its client only.
bool is_kept_by_engine(const RunRequest& request);
/// Can what was started be held?
bool can_hold(const RunRequest& request, const Launcher& launcher);
/// Ending the client of docker by force leaves its container behind.
void remove_left_containers(const RunRequest& request);

/// How the lines of a planned command are read. Throws UserError with file:line for an unknown
/// dialect or a pattern that cannot be.
LiveOptions live_options(const PlannedCell& planned, const ForeignCommand& foreign);

/// Are all commands of a suite such that their lines can be read? Throws UserError.
void check_commands(const Suite& suite);

}  // namespace trainmark
