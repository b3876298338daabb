#include <fmt/format.h>
#include <unistd.h>

#include <csignal>
#include <optional>

#include "base/option_checks.h"
#include "base/output.h"
#include "base/signals.h"
#include "base/text.h"
#include "base/waiting.h"
#include "cli/command.h"
#include "cli/examples.h"
#include "cli/show_report.h"
#include "http/http_server.h"
#include "report/html/live_report.h"

namespace trainmark {

namespace {

constexpr int usual_port = 8088;

struct ServeArguments {
  std::string folder, address = "127.0.0.1", language = "en";
  int port = usual_port;
};

/// This is how it is meant to be ended, and nothing is held that would have to be put away.
void leave(int) {
  _exit(exit_well);
}

int serve(const ServeArguments& arguments) {
  const std::string address = arguments.address == "localhost" ? "127.0.0.1" : arguments.address;
  auto waiting = std::make_optional<Waiting>("reading " + printable(arguments.folder));
  LiveReport report(arguments.folder, parse_language(arguments.language), is_loopback(address));
  HttpServer server(address, arguments.port,
                    [&](const HttpRequest& request) { return report.answer(request); });
  waiting.reset();
  handle_unless_ignored({SIGINT, SIGTERM, SIGHUP}, leave);
  if (!is_loopback(address)) {
    say("anybody who can reach {} can read these results and their logs", address);
  }
  say("{} is at {} (read only; Ctrl-C ends it)", printable(arguments.folder), server.url());
  server.serve([] { return false; });
  return exit_well;
}

const Registration<Subcommand> serve_command(
    "serve", {"serve the report as a local page that follows a running suite",
              [](CLI::App& app) -> std::function<int()> {
                auto arguments = std::make_shared<ServeArguments>();
                app.add_option("folder", arguments->folder,
                               "a folder that `trainmark run` writes or has written")
                    ->required();
                app.add_option("--port", arguments->port,
                               fmt::format("0 for any free port (default: {})", usual_port))
                    ->check(whole_from(0, 65535));
                app.add_option("--bind", arguments->address,
                               "the address to listen on (default: 127.0.0.1, this machine alone)");
                app.add_option("--lang", arguments->language,
                               "en or zh (default: en); the page contains both");
                add_examples(app, {{"trainmark serve results/quick-TIME",
                                    "at http://127.0.0.1:8088, for this machine alone"},
                                   {"trainmark serve results/quick-TIME --port 0 --lang zh",
                                    "at any free port, in Chinese"}});
                return [arguments] { return serve(*arguments); };
              }});

}  // namespace

}  // namespace trainmark
