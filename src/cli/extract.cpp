#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "base/error.h"
#include "base/text.h"
#include "cli/command.h"
#include "logs/extract.h"

namespace trainmark {

namespace {

struct ExtractArguments {
  std::vector<std::string> paths;
  ExtractOptions options;
  std::string format = "table";
};

int extract(const ExtractArguments& arguments) {
  nlohmann::json logs = nlohmann::json::array();
  for (const auto& path : arguments.paths) logs.push_back(extract_log(path, arguments.options));
  fmt::print("{}\n", nlohmann::json{{"schema", 1}, {"logs", logs}}.dump(2, ' ', false, nlohmann::json::error_handler_t::replace));
  return exit_well;
}

const Registration<Subcommand> registered(
    "extract",
    {"throughput from the logs of other programs", [](CLI::App& app) -> std::function<int()> {
       auto arguments = std::make_shared<ExtractArguments>();
       ExtractOptions& options = arguments->options;
       app.add_option("paths", arguments->paths, "logs, or folders of logs")->required();
       app.add_option("--dialect", options.dialect, "do not look for it: it is this one");
       app.add_option("--gpus", options.given.gpus, "in all, where the log does not say it");
       app.add_option("--nodes", options.given.nodes, "");
       app.add_option("--batch", options.given.batch, "of one GPU");
       app.add_option("--rule", options.rule, "");
       app.add_option("--format", arguments->format, "");
       return [arguments] { return extract(*arguments); };
     }});

}  // namespace

}  // namespace trainmark
