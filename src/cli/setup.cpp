#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "base/error.h"
#include "base/text.h"
#include "base/version.h"
#include "cli/command.h"
#include "cli/examples.h"
#include "cli/known_values.h"

namespace trainmark {

namespace {

namespace fs = std::filesystem;

int setup(const std::vector<std::string>& names) {
  const fs::path script = home() / "scripts" / "install-frameworks";
  if (access(script.c_str(), X_OK) != 0) {
    throw UserError(fmt::format(
        "{} was not found: frameworks are installed from Trainmark's own folder; name it with "
        "TRAINMARK_HOME",
        script.string()));
  }
  const std::vector<std::string> known = installable_frameworks();
  for (const std::string& name : names) {
    if (std::find(known.begin(), known.end(), name) == known.end()) {
      throw UserError(fmt::format("there is no framework '{}' to install; {}", printable(name),
                                  suggest(name, known)));
    }
  }
  std::string program = script.string();
  std::vector<char*> words = {program.data()};
  std::vector<std::string> copies = names;
  for (std::string& name : copies) words.push_back(name.data());
  words.push_back(nullptr);
  execv(program.c_str(), words.data());
  throw SystemError(fmt::format("{} cannot be started: {}", program, std::strerror(errno)));
}

const Registration<Subcommand> setup_command(
    "setup", {"install frameworks for Trainmark, each in its own environment",
              [](CLI::App& app) -> std::function<int()> {
                auto names = std::make_shared<std::vector<std::string>>();
                app.add_option("framework", *names, "such as pytorch or paddle; several at once")
                    ->required();
                add_examples(app, {{"trainmark setup pytorch", "download and install it (some GB)"},
                                   {"trainmark setup paddle jax", "two of them"}});
                return [names] { return setup(*names); };
              }});

}  // namespace

}  // namespace trainmark
