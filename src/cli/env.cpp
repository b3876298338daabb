#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "base/error.h"
#include "base/output.h"
#include "base/text.h"
#include "base/waiting.h"
#include "cli/command.h"
#include "cli/examples.h"
#include "environ/machine/environment.h"

namespace trainmark {

namespace {

int env(const std::string& format) {
  if (format != "text" && format != "json") {
    throw UserError(fmt::format("unknown format '{}'; write text or json", printable(format)));
  }
  const nlohmann::json environment = [] {
    const Waiting waiting("looking at the machine");
    return collect_environment();
  }();
  print_out("{}\n", format == "json"
                        ? environment.dump(2, ' ', false, nlohmann::json::error_handler_t::replace)
                        : environment_text(environment));
  return exit_well;
}

const Registration<Subcommand> env_command(
    "env", {"show the machine and software that are recorded with results",
            [](CLI::App& app) -> std::function<int()> {
              auto format = std::make_shared<std::string>("text");
              app.add_option("--format", *format, "text or json (default: text)");
              add_examples(app, {{"trainmark env", "for people"},
                                 {"trainmark env --format json", "for programs"}});
              return [format] { return env(*format); };
            }});

}  // namespace

}  // namespace trainmark
