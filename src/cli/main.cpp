#include <fmt/format.h>

#include <csignal>

#include "base/error.h"
#include "base/output.h"
#include "base/signals.h"
#include "base/text.h"
#include "base/version.h"
#include "cli/command.h"

namespace trainmark {

namespace {

std::string first_word(int count, char** words) {
  return count > 1 && words[1][0] != '-' ? words[1] : "";
}

int run(int count, char** words) {
  CLI::App app("Trainmark measures how fast deep-learning training runs.", "trainmark");
  app.set_version_flag("--version", fmt::format("trainmark {} ({})", version(), commit()));
  app.require_subcommand(1);
  app.footer(
      "Exit codes: 0 all well; 1 a measurement failed, a gate tripped or something could not be "
      "written; 2 bad input; 130 Ctrl-C (128 + the signal).");
  std::function<int()> chosen;
  for (const auto& [name, command] : Registry<Subcommand>::all()) {
    CLI::App* sub = app.add_subcommand(name, command.summary);
    sub->callback([&chosen, action = command.add(*sub)] { chosen = action; });
  }

  const std::string wanted = first_word(count, words);
  if (!wanted.empty() && Registry<Subcommand>::find(wanted) == nullptr) {
    throw UserError(fmt::format("there is no command '{}'; {} (see `trainmark --help`)",
                                printable(wanted), suggest(wanted, Registry<Subcommand>::names())));
  }
  try {
    app.parse(count, words);
  } catch (const CLI::ParseError& error) {
    if (error.get_exit_code() == 0)  // --help, --version
      return app.exit(error, standard_output(), standard_output());
    const std::string help =
        wanted.empty() ? "trainmark --help" : fmt::format("trainmark {} --help", wanted);
    throw UserError(fmt::format("{} (see `{}`)", printable(error.what(), 1000), help));
  }
  return chosen();
}

}  // namespace

}  // namespace trainmark

int main(int count, char** words) {
  using namespace trainmark;
  occupy_standard_streams();
  std::signal(SIGPIPE, SIG_IGN);  // a reader that goes away is seen by the write's own error
  end_on_signals();
  try {
    const int code = run(count, words);
    finish_output();
    return is_interrupted() ? interrupt_code() : code;
  } catch (const UserError& error) {
    say("trainmark: {}", error.what());
    return exit_bad_input;
  } catch (const Interrupted& kept) {
    const std::string what = kept.what();
    say("\ntrainmark: interrupted{}", what.empty() ? "" : "; " + what);
    return interrupt_code();
  } catch (const std::exception& error) {
    say("trainmark: {}", error.what());
    return exit_failed;
  }
}
