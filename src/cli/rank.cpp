// One rank of a run, started on its host by what a launcher uses as its starter. Not for people:
// `trainmark run` does it.

#include <fmt/format.h>

#include "base/error.h"
#include "base/option_checks.h"
#include "base/text.h"
#include "cli/command.h"
#include "launch/agent.h"

namespace trainmark {

namespace {

struct RankOptions {
  AgentRequest agent;
  std::string scale = "1n1g";
  std::vector<std::string> variables;
};

int run_rank(RankOptions options) {
  const auto scale = Scale::parse(options.scale);
  if (!scale) throw UserError(fmt::format("--scale {}: write 4n8g", printable(options.scale)));
  options.agent.scale = *scale;
  for (const auto& text : options.variables) {
    const auto equals = text.find('=');
    if (equals == std::string::npos || equals == 0)
      throw UserError(fmt::format("--variable {}: write NAME=VALUE", printable(text)));
    options.agent.variables[text.substr(0, equals)] = text.substr(equals + 1);
  }
  return run_agent(options.agent);
}

const Registration<Subcommand> rank_command(
    "rank",
    {.summary = "one rank of a run; the starter of a launcher starts it for `trainmark run`",
     .add = [](CLI::App& app) -> std::function<int()> {
       auto options = std::make_shared<RankOptions>();
       AgentRequest& agent = options->agent;
       app.add_option("--starter", agent.starter, "the launcher whose starter started it")
           ->required();
       app.add_option("--scale", options->scale, "of the whole run")->required();
       app.add_option("--hosts", agent.hosts, "one per node")->delimiter(',')->required();
       app.add_option("--port", agent.port, "where rank 0 listens")
           ->required()
           ->check(whole_from(0, 65535));
       app.add_option("--time-limit", agent.time_limit, "seconds after which the rank is killed")
           ->required()
           ->check(number_from(1, 1e8));
       app.add_option("--folder", agent.folder, "where the trainer starts");
       app.add_option("--variable", options->variables, "NAME=VALUE for the trainer")
           ->allow_extra_args(false);
       app.add_flag("--events-on-output", agent.events_on_output,
                    "the trainer writes its events to standard output");
       app.add_flag("--watch-node", agent.watch_node,
                    "the first rank of each node reports on its machine");
       app.add_option("command", agent.command, "the trainer")->required();
       return [options] { return run_rank(*options); };
     },
     .internal = true});

}  // namespace

}  // namespace trainmark
