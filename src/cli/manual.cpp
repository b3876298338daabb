#include "cli/manual.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

#include "base/terminal.h"
#include "base/text.h"
#include "base/version.h"

namespace trainmark {

namespace {

std::string in_capitals(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(),
                 [](unsigned char letter) { return static_cast<char>(std::toupper(letter)); });
  return text;
}

/// Text of ours as text of a page: no letter of it is a command to roff.
std::string roff(const std::string& text) {
  std::string result;
  bool line_begins = true;
  for (const char letter : plain_letters(text)) {
    if (line_begins && (letter == '.' || letter == '\'')) result += "\\&";
    line_begins = letter == '\n';
    if (letter == '\\') {
      result += "\\e";
    } else if (letter == '-') {
      result += "\\-";
    } else {
      result += letter;
    }
  }
  return result;
}

std::string title_lines(const std::string& name, const std::string& summary) {
  return fmt::format(".TH {} 1 \"\" \"trainmark {}\" \"Trainmark\"\n.SH NAME\n{} \\- {}\n",
                     roff(in_capitals(name)), version(), roff(name), roff(summary));
}

std::string paragraphs(const std::string& text) {
  std::string result;
  for (const std::string& line : split(text, '\n'))
    if (!line.empty()) result += ".PP\n" + roff(line) + "\n";
  return result;
}

std::string examples_section(const std::vector<Example>& examples) {
  std::string text = ".SH EXAMPLES\n";
  for (const Example& example : examples)
    text += fmt::format(".TP\n.B {}\n{}\n", roff(example.line), roff(example.does));
  return text;
}

std::string entry(const OptionShape& option) {
  std::string names = option.is_argument ? in_capitals(option.names[0]) : join(option.names, ", ");
  std::string text = fmt::format(".TP\n.B {}\n", roff(names));
  if (option.takes_value && !option.is_argument)
    text = fmt::format(".TP\n.BR \"{}\" \" {}\"\n", roff(names),
                       roff(in_capitals(option.names.back().substr(2))));
  return text + roff(option.help.empty() ? "see above" : option.help) + "\n";
}

std::string synopsis(const CommandShape& command) {
  std::string line = fmt::format(".B trainmark {}\n", command.name);
  if (!command.parts.empty()) line += fmt::format(".RI \"{} \"\n", roff(join(command.parts, "|")));
  for (const OptionShape& option : command.options) {
    if (!option.is_argument) continue;
    const std::string name = in_capitals(option.names[0]) + (option.takes_several ? " ..." : "");
    line += ".RI " + roff(option.is_required ? "\"" + name + " \"" : "\"[" + name + "] \"") + "\n";
  }
  return line + ".RI [ options ]\n";
}

constexpr const char* files_section =
    ".SH FILES\n"
    ".TP\n.I results/NAME\\-TIME\nwhat `trainmark run' and `trainmark measure' write; "
    "in $TRAINMARK_RESULTS where that is set\n"
    ".TP\n.I $XDG_DATA_HOME/trainmark/environments\nwhat `trainmark setup' of an installed "
    "Trainmark installs (default: ~/.local/share)\n"
    ".SH ENVIRONMENT\n"
    ".TP\n.B TRAINMARK_RESULTS\nthe folder for results, instead of results/ in the current one\n"
    ".TP\n.B TRAINMARK_ENVIRONMENTS\nthe folder for the environments of frameworks\n"
    ".TP\n.B TRAINMARK_LIBTORCH\nthe torch folder of an installed PyTorch, for the trainers on "
    "LibTorch\n"
    ".TP\n.B TRAINMARK_HOME\nthe folder that holds suites and frameworks\n"
    ".TP\n.B NO_COLOR, COLUMNS, TERM, LC_ALL\nas usual: no colours; the width of tables; no line "
    "is redrawn on a terminal that is `dumb'; plain letters where the locale has no others\n";

}  // namespace

std::string manual_name(const CommandShape& command) {
  std::string name = "trainmark-" + command.name;
  std::replace(name.begin(), name.end(), ' ', '-');
  return name;
}

std::string manual_page(const CommandShape& command, const std::vector<Example>& examples) {
  std::string text = title_lines(manual_name(command), command.summary);
  text += ".SH SYNOPSIS\n" + synopsis(command);
  text += ".SH OPTIONS\n";
  for (const OptionShape& option : command.options) text += entry(option);
  text += examples_section(examples);
  if (!command.notes.empty()) text += ".SH NOTES\n" + paragraphs(command.notes);
  return text + ".SH SEE ALSO\n.BR trainmark (1)\n";
}

std::string manual_overview(const std::vector<CommandShape>& commands,
                            const std::vector<Example>& examples, const std::string& notes) {
  std::string text = title_lines("trainmark", "measures how fast deep-learning training runs");
  text +=
      ".SH SYNOPSIS\n.B trainmark\n.I COMMAND\n.RI [ options ]\n.br\n.B trainmark "
      "help\n.RI [ COMMAND ]\n.SH COMMANDS\n";
  std::vector<std::string> pages;
  for (const CommandShape& command : commands) {
    const std::string name = roff(manual_name(command));
    text += fmt::format(".TP\n.BR {} (1)\n{}\n", name, roff(command.summary));
    pages.push_back(fmt::format(".BR {} (1)", name));
  }
  text +=
      ".SH OPTIONS\n.TP\n.B \\-h, \\-\\-help\nPrint the commands and exit.\n"
      ".TP\n.B \\-V, \\-\\-version\nPrint the version and exit.\n";
  text += examples_section(examples) + ".SH NOTES\n" + paragraphs(notes) + files_section;
  return text + ".SH SEE ALSO\n" + join(pages, ",\n") + "\n";
}

}  // namespace trainmark
