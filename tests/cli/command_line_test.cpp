// What help, man pages and completions say is what the program takes.

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "base/text.h"
#include "cli/app.h"
#include "cli/command.h"
#include "cli/completions.h"
#include "cli/examples.h"
#include "cli/help_text.h"
#include "cli/known_values.h"
#include "cli/manual.h"

namespace trainmark {
namespace {

/// A line as a shell takes it apart, as far as examples need it: quotes, and no redirection.
std::vector<std::string> shell_words(const std::string& line) {
  std::vector<std::string> words(1);
  bool quoted = false;
  for (const char letter : line) {
    if (letter == '\'') {
      quoted = !quoted;
    } else if (letter == ' ' && !quoted) {
      words.emplace_back();
    } else if (letter == '>' && !quoted) {
      words.pop_back();
      break;
    } else {
      words.back() += letter;
    }
  }
  return words;
}

/// The trouble that the program would have with it; empty where there is none.
std::string trouble_with(const std::string& line) {
  std::function<int()> chosen;
  const auto app = make_app(chosen);
  std::vector<std::string> words = shell_words(line);
  words.erase(words.begin());
  std::reverse(words.begin(), words.end());  // as the library wants them
  try {
    app->parse(words);
  } catch (const CLI::ParseError& error) {
    return error.what();
  }
  return chosen ? "" : "it does nothing";
}

TEST(Examples, EveryCommandHasSomeThatItUnderstands) {
  const auto app = shown_app();
  std::vector<Example> all = examples_of(*app);
  EXPECT_GE(all.size(), 5U);
  for (const CLI::App* command : shown_commands(*app)) {
    const auto examples = examples_of(*command);
    EXPECT_FALSE(examples.empty()) << command->get_name();
    for (const Example& example : examples)
      EXPECT_NE(example.line.find("trainmark " + words_of(*command)), std::string::npos)
          << example.line;
    all.insert(all.end(), examples.begin(), examples.end());
  }
  for (const Example& example : all) {
    EXPECT_FALSE(example.does.empty()) << example.line;
    if (example.line.starts_with("trainmark ")) {
      EXPECT_EQ(trouble_with(example.line), "") << example.line;
    }
  }
  EXPECT_NE(trouble_with("trainmark run --no-such-option"), "");
}

TEST(Examples, StandInTheHelpWithWhatElseThereIsToSay) {
  CLI::App app;
  add_examples(app, {{"trainmark run", "measures"}}, "One note.\nAnother.");
  EXPECT_EQ(app.get_footer(), "Examples:\n  trainmark run\n      measures\n\nOne note.\nAnother.");
  EXPECT_EQ(notes_of(app), "One note.\nAnother.");
  ASSERT_EQ(examples_of(app).size(), 1U);
  EXPECT_EQ(examples_of(app)[0].does, "measures");
}

TEST(Help, FitsEightyColumns) {
  const auto app = shown_app();
  for (const CLI::App* command : shown_commands(*app)) {
    const std::string whole = command->help();
    const std::string text = fitted_help(whole, 80);
    for (const std::string& line : split(text, '\n')) {
      if (line.starts_with("  trainmark ")) continue;  // to be copied
      EXPECT_LE(display_width(line), 80u) << line;
    }
    std::string before = whole, after = text;
    for (std::string* each : {&before, &after})
      std::erase_if(*each, [](char letter) { return letter == ' ' || letter == '\n'; });
    EXPECT_EQ(before, after) << "nothing is lost";
    EXPECT_EQ(fitted_help(whole, 0), whole) << "a file has no width";
  }
}

TEST(Help, WhatIsSaidOfAnOptionStaysInItsColumn) {
  const std::string line = "  --only TEXT                 only cells whose key contains this text";
  EXPECT_EQ(fitted_help(line, 60), "  --only TEXT                 only cells whose key contains\n" +
                                       std::string(30, ' ') + "this text");
}

TEST(KnownValues, AreThoseOfOptionsThatThereAre) {
  std::set<std::string> there;
  for (const CommandShape& command : command_shapes()) {
    for (const OptionShape& option : command.options) {
      there.insert(command.name + " " + option.names.back());
      there.insert("* " + option.names.back());
    }
  }
  for (const std::string& key : options_with_known_values())
    EXPECT_TRUE(there.contains(key)) << key;
  const auto suites = known_values("run", "suite");
  EXPECT_NE(std::find(suites.begin(), suites.end(), "quick"), suites.end());
}

class Completions : public testing::TestWithParam<std::string> {};

TEST_P(Completions, KnowEveryCommandAndEveryOption) {
  const auto shapes = command_shapes();
  const std::string script = completion_script(GetParam(), shapes);
  EXPECT_GE(shapes.size(), 15U);
  for (const CommandShape& command : shapes) {
    for (const std::string& word : split(command.name, ' '))
      EXPECT_NE(script.find(word), std::string::npos) << command.name;
    for (const OptionShape& option : command.options) {
      if (option.is_argument) continue;
      const std::string plain = option.names.back().substr(2);
      const std::string wanted = GetParam() == "fish" ? " -l " + plain : "--" + plain;
      EXPECT_NE(script.find(wanted), std::string::npos) << command.name << " " << plain;
    }
  }
  EXPECT_NE(script.find("docker podman"), std::string::npos) << "the values of --engine";
  EXPECT_EQ(script.find("starter"), std::string::npos) << "an option of a command for no people";
}

INSTANTIATE_TEST_SUITE_P(Shells, Completions, testing::Values("bash", "zsh", "fish"),
                         [](const auto& shell) { return std::string(shell.param); });

TEST_P(Completions, KnowThePartsOfACommand) {
  const auto shapes = command_shapes();
  const std::string script = completion_script(GetParam(), shapes);
  const auto make = std::find_if(shapes.begin(), shapes.end(),
                                 [](const auto& shape) { return shape.name == "data make"; });
  ASSERT_NE(make, shapes.end());
  EXPECT_NE(script.find("make check show"), std::string::npos);
  EXPECT_NE(script.find(GetParam() == "fish" ? "from data; and __fish_seen_subcommand_from make"
                                             : "data make"),
            std::string::npos);
  EXPECT_NE(script.find("imagefolder"), std::string::npos) << "the values of its --format";
}

TEST(Completions, AnUnknownShellIsRefused) {
  EXPECT_THROW(completion_script("csh", command_shapes()), std::exception);
}

TEST(Manual, HasAllOptionsAndExamplesAndNoAccidentalRequests) {
  const auto app = shown_app();
  for (const CommandShape& command : command_shapes()) {
    const auto examples = examples_of(command_called(*app, command.name));
    const std::string page = manual_page(command, examples);
    EXPECT_TRUE(page.starts_with(".TH TRAINMARK\\-")) << page;
    for (const OptionShape& option : command.options) {
      if (option.is_argument) continue;
      std::string name = option.names.back();
      for (std::size_t at = 0; (at = name.find('-', at)) != name.npos; at += 2)
        name.insert(at, "\\");
      EXPECT_NE(page.find(name), page.npos) << command.name << " " << name;
    }
    for (const std::string& line : split(page, '\n')) {
      if (line.starts_with(".")) {
        EXPECT_TRUE(std::isupper(line[1])) << line;
      }
      for (const char letter : line) EXPECT_LT(static_cast<unsigned char>(letter), 0x80) << line;
    }
  }
}

TEST(Manual, TextIsNoRequest) {
  CommandShape command{"demo", "a demo", ".hidden files\n'quoted'\nback\\slash", {}, {}};
  const std::string page = manual_page(command, {});
  EXPECT_NE(page.find("\\&.hidden"), page.npos) << page;
  EXPECT_NE(page.find("\\&'quoted'"), page.npos) << page;
  EXPECT_NE(page.find("back\\eslash"), page.npos) << page;
}

}  // namespace
}  // namespace trainmark
