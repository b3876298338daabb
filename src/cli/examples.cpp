#include "cli/examples.h"

#include <fmt/format.h>

#include "base/text.h"

namespace trainmark {

namespace {

constexpr std::string_view heading = "Examples:\n";
constexpr std::string_view line_indent = "  ", does_indent = "      ";

}  // namespace

void add_examples(CLI::App& app, const std::vector<Example>& examples, const std::string& notes) {
  std::string text(heading);
  for (const Example& example : examples)
    text += fmt::format("{}{}\n{}{}\n", line_indent, example.line, does_indent, example.does);
  app.footer(notes.empty() ? text : text + "\n" + notes);
}

std::vector<Example> examples_of(const CLI::App& app) {
  std::vector<Example> examples;
  const std::string footer = app.get_footer();
  if (!footer.starts_with(heading)) return examples;
  for (const std::string& line : split(footer, '\n')) {
    if (line.starts_with(does_indent) && !examples.empty()) {
      examples.back().does = line.substr(does_indent.size());
    } else if (line.starts_with(line_indent)) {
      examples.push_back({line.substr(line_indent.size()), ""});
    } else if (line.empty()) {
      break;
    }
  }
  return examples;
}

std::string notes_of(const CLI::App& app) {
  std::string footer = app.get_footer();
  if (!footer.starts_with(heading)) return footer;
  const auto end = footer.find("\n\n");
  return end == std::string::npos ? "" : footer.substr(end + 2);
}

}  // namespace trainmark
