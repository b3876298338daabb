#include "cli/completions.h"

#include <fmt/format.h>

#include <map>

#include "base/error.h"
#include "base/output.h"
#include "base/text.h"
#include "cli/command.h"
#include "cli/examples.h"
#include "cli/known_values.h"

namespace trainmark {

namespace {

constexpr const char* made_by = "# Made by `trainmark completions` from the program's own options.";

/// A word in single quotes, for whatever shell.
std::string quoted(const std::string& text, const char* quote_inside) {
  std::string result = "'";
  for (const char letter : text) {
    if (letter == '\'') {
      result += quote_inside;
    } else {
      result += letter;
    }
  }
  return result + "'";
}

/// Of another command, behind whose name its own stands.
bool is_part(const CommandShape& command) {
  return command.name.find(' ') != std::string::npos;
}

std::string names_of(const std::vector<CommandShape>& commands) {
  std::vector<std::string> names;
  for (const CommandShape& command : commands)
    if (!is_part(command)) names.push_back(command.name);
  return join(names, " ");
}

std::string bash_case(const CommandShape& command) {
  std::vector<std::string> options;
  std::string text;
  for (const OptionShape& option : command.options) {
    const std::string values = join(option.values, " ");
    if (option.is_argument) {
      if (!values.empty())
        text += fmt::format("    \"{} \") values={}; files=yes ;;\n", command.name,
                            quoted(values, "'\\''"));
      continue;
    }
    options.insert(options.end(), option.names.begin(), option.names.end());
    if (!option.takes_value) continue;
    std::vector<std::string> patterns;
    for (const std::string& name : option.names)
      patterns.push_back(fmt::format("\"{} {}\"", command.name, name));
    text += fmt::format("    {}) {} ;;\n", join(patterns, "|"),
                        values.empty() ? "files=yes" : "values=" + quoted(values, "'\\''"));
  }
  return text + fmt::format("    \"{} -\") values={} ;;\n", command.name,
                            quoted(join(options, " "), "'\\''"));
}

/// How a command with commands of its own is completed: first one of them, then its options.
std::string bash_parts(const CommandShape& command) {
  if (command.parts.empty()) return "";
  return fmt::format(R"(    {0})
      [ "$COMP_CWORD" != 2 ] || {{ COMPREPLY=($(compgen -W '{1} --help' -- "$word")); return; }}
      command="{0} ${{COMP_WORDS[2]}}" ;;
)",
                     command.name, join(command.parts, " "));
}

std::string bash_script(const std::vector<CommandShape>& commands) {
  std::string cases, parts;
  for (const CommandShape& command : commands) {
    cases += bash_case(command);
    parts += bash_parts(command);
  }
  return fmt::format(R"({made_by}
_trainmark_values() {{
  case $1 in
{cases}  esac
}}

_trainmark() {{
  local word=${{COMP_WORDS[COMP_CWORD]}} before=${{COMP_WORDS[COMP_CWORD-1]}} command=${{COMP_WORDS[1]}}
  local values= files= i
  COMPREPLY=()
  if [ "$COMP_CWORD" = 1 ]; then
    COMPREPLY=($(compgen -W '{names} --help --version' -- "$word"))
    return
  fi
  case $command in
{parts}  esac
  for ((i = 2; i < COMP_CWORD; i++)); do  # behind two dashes stands the command line of another program
    [ "${{COMP_WORDS[i]}}" != -- ] || {{ COMPREPLY=($(compgen -c -f -- "$word")); return; }}
  done
  case $before in -*) _trainmark_values "$command $before" ;; esac
  if [ -z "$values$files" ]; then
    case $word in -*) _trainmark_values "$command -" ;; *) _trainmark_values "$command "; files=yes ;; esac
  fi
  COMPREPLY=($(compgen -W "$values" -- "$word") $([ -z "$files" ] || compgen -f -- "$word"))
}}
complete -o filenames -F _trainmark trainmark
)",
                     fmt::arg("made_by", made_by), fmt::arg("cases", cases),
                     fmt::arg("parts", parts), fmt::arg("names", names_of(commands)));
}

/// Help inside of zsh's [brackets].
std::string zsh_help(const std::string& help) {
  std::string result;
  for (const char letter : help) {
    if (letter == '[' || letter == ']' || letter == ':' || letter == '\\') result += '\\';
    result += letter;
  }
  return result;
}

std::string zsh_values(const OptionShape& option) {
  return option.values.empty() ? "_files" : "(" + join(option.values, " ") + ")";
}

std::string zsh_option(const OptionShape& option) {
  std::string text;
  for (const std::string& name : option.names) {
    std::string words =
        fmt::format("{}{}[{}]", option.takes_several ? "*" : "", name, zsh_help(option.help));
    if (option.takes_value) words += fmt::format(":{}:{}", zsh_help(name), zsh_values(option));
    text += "        " + quoted(words, "'\\''") + " \\\n";
  }
  return text;
}

std::string zsh_command(const CommandShape& command) {
  std::string text = fmt::format("    {})\n      _arguments \\\n", quoted(command.name, "'\\''"));
  std::string last;
  int place = 0;
  for (const OptionShape& option : command.options) {
    if (!option.is_argument) {
      text += zsh_option(option);
      continue;
    }
    const std::string what = fmt::format(
        "{}: :{}", option.takes_several ? "*" : fmt::format("{}", ++place), zsh_values(option));
    last += fmt::format("        {} \\\n", quoted(what, "'\\''"));
  }
  return text + last + "        && return\n      ;;\n";
}

std::string zsh_parts(const CommandShape& command) {
  if (command.parts.empty()) return "";
  return fmt::format(R"(    {0})
      if (( CURRENT == 2 )); then
        _values 'command' {1}
        return
      fi
      command="{0} $words[2]"
      shift words
      (( CURRENT-- ))
      ;;
)",
                     command.name, join(command.parts, " "));
}

std::string zsh_script(const std::vector<CommandShape>& commands) {
  std::string summaries, cases, parts;
  for (const CommandShape& command : commands) {
    if (!is_part(command))
      summaries += "    " + quoted(command.name + ":" + command.summary, "'\\''") + "\n";
    parts += zsh_parts(command);
    if (command.parts.empty()) cases += zsh_command(command);
  }
  return fmt::format(R"(#compdef trainmark
{}
_trainmark() {{
  local -a commands=(
{}  )
  if (( CURRENT == 2 )); then
    _describe -t commands 'command' commands
    return
  fi
  local command=$words[2]
  shift words
  (( CURRENT-- ))
  case $command in
{}  esac
  case $command in
{}  esac
}}
_trainmark "$@"
)",
                     made_by, summaries, parts, cases);
}

/// All words of its name were written.
std::string fish_condition(const CommandShape& command) {
  std::string condition;
  for (const std::string& word : split(command.name, ' '))
    condition += (condition.empty() ? "" : "; and ") + ("__fish_seen_subcommand_from " + word);
  return condition;
}

std::string fish_option(const CommandShape& command, const OptionShape& option) {
  std::string line = fmt::format("complete -c trainmark -n '{}'", fish_condition(command));
  for (const std::string& name : option.is_argument ? std::vector<std::string>() : option.names)
    line += name.starts_with("--") ? " -l " + name.substr(2) : " -s " + name.substr(1);
  if (option.takes_value && !option.is_argument) line += option.values.empty() ? " -r" : " -x";
  if (!option.values.empty()) line += " -a " + quoted(join(option.values, " "), "\\'");
  if (!option.is_argument) line += " -d " + quoted(option.help, "\\'");
  return line + "\n";
}

std::string fish_script(const std::vector<CommandShape>& commands) {
  std::string text = fmt::format("{}\n", made_by);
  const std::string none = fmt::format("not __fish_seen_subcommand_from {}", names_of(commands));
  text += fmt::format(
      "complete -c trainmark -f -n '{0}' -l help -s h\n"
      "complete -c trainmark -f -n '{0}' -l version -s V\n",
      none);
  for (const CommandShape& command : commands) {
    if (!is_part(command))
      text += fmt::format("complete -c trainmark -f -n '{}' -a {} -d {}\n", none, command.name,
                          quoted(command.summary, "\\'"));
    if (!command.parts.empty())
      text += fmt::format(
          "complete -c trainmark -f -n '{0}; and not __fish_seen_subcommand_from {1}' -a '{1}'\n",
          fish_condition(command), join(command.parts, " "));
    for (const OptionShape& option : command.options)
      if (!option.is_argument || !option.values.empty()) text += fish_option(command, option);
  }
  return text;
}

const Registration<Subcommand> completions_command(
    "completions",
    {"a script for bash, zsh or fish that completes this program's options",
     [](CLI::App& app) -> std::function<int()> {
       auto shell = std::make_shared<std::string>();
       app.add_option("shell", *shell, "bash, zsh or fish")->required();
       add_examples(
           app,
           {{"trainmark completions bash > ~/.local/share/bash-completion/completions/trainmark",
             "for every new shell"},
            {"source <(trainmark completions bash)", "for this one"}});
       return [shell] {
         print_out("{}", completion_script(*shell, command_shapes()));
         return exit_well;
       };
     }});

}  // namespace

std::string completion_script(const std::string& shell, const std::vector<CommandShape>& commands) {
  static const std::map<std::string, std::string (*)(const std::vector<CommandShape>&)> shells = {
      {"bash", bash_script}, {"zsh", zsh_script}, {"fish", fish_script}};
  const auto found = shells.find(shell);
  if (found == shells.end())
    throw UserError(fmt::format("there are no completions for '{}'; write bash, zsh or fish",
                                printable(shell)));
  return found->second(commands);
}

}  // namespace trainmark
