#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "base/error.h"
#include "base/output.h"
#include "base/text.h"
#include "base/waiting.h"
#include "base/wrapped.h"
#include "cli/command.h"
#include "cli/examples.h"
#include "cli/show_report.h"
#include "environ/machine/environment.h"

namespace trainmark {

namespace {

/// Long facts go on below where they began.
std::string fitted(const std::string& text) {
  constexpr std::size_t column_of_facts = 20;
  const std::size_t width = terminal_options().width;
  std::vector<std::string> lines = split(text, '\n');
  for (std::string& line : lines) line = wrapped(line, width, column_of_facts);
  return join(lines, "\n");
}

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
                        : fitted(environment_text(environment)));
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
