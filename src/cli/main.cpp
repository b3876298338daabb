#include <fmt/format.h>

#include <csignal>
#include <filesystem>
#include <set>
#include <sstream>

#include "base/error.h"
#include "base/json_fields.h"
#include "base/output.h"
#include "base/signals.h"
#include "base/text.h"
#include "cli/app.h"
#include "cli/command.h"
#include "cli/help_text.h"
#include "cli/parse_message.h"
#include "cli/show_report.h"

namespace trainmark {

namespace {

/// An option in front of the command, which is none of the program's own.
void refuse_early_option(int count, char** words) {
  const std::string word = count > 1 ? words[1] : "";
  const std::string name = word.substr(0, word.find('='));
  static const std::set<std::string> known = {"--help", "-h", "--version", "-V"};
  if (!name.starts_with("-") || known.contains(name)) return;
  throw UserError(fmt::format(
      "unknown option '{}' before the command; write trainmark COMMAND OPTIONS, with one of "
      "{} (see `trainmark --help`)",
      printable(name), join(command_names(), ", ")));
}

std::string first_word(int count, char** words) {
  return count > 1 && words[1][0] != '-' ? words[1] : "";
}

int run(int count, char** words) {
  std::function<int()> chosen;
  const auto made = make_app(chosen);
  CLI::App& app = *made;
  const std::string wanted = first_word(count, words);
  if (!wanted.empty() && Registry<Subcommand>::find(wanted) == nullptr) {
    throw UserError(fmt::format("there is no command '{}'; {} (see `trainmark --help`)",
                                printable(wanted), suggest(wanted, command_names())));
  }
  refuse_early_option(count, words);
  try {
    app.parse(count, words);
  } catch (const CLI::ParseError& error) {
    if (error.get_exit_code() == 0) {  // --help, --version
      std::ostringstream text;
      const int code = app.exit(error, text, text);
      print_out("{}", fitted_help(text.str(), terminal_options().width));
      return code;
    }
    throw UserError(fmt::format("{} (see `{}`)", parse_message(error, app), help_line(app)));
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
    say("trainmark: {}", safe_text(error.what()));
    return exit_bad_input;
  } catch (const Interrupted& kept) {
    const std::string what = kept.what();
    say("\ntrainmark: interrupted{}", what.empty() ? "" : "; " + what);
    return interrupt_code();
  } catch (const std::filesystem::filesystem_error& error) {
    say("trainmark: cannot use {}: {}", printable(error.path1().string()), error.code().message());
    return exit_failed;
  } catch (const std::exception& error) {
    say("trainmark: {}", safe_text(json_trouble(error.what())));
    return exit_failed;
  }
}
