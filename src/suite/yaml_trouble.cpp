#include "suite/yaml_trouble.h"

#include <fmt/format.h>

#include <array>
#include <utility>

#include "base/text.h"

namespace trainmark {

namespace {

struct Explanation {
  std::string_view message;  // how yaml-cpp's begins
  std::string_view words;
};

constexpr auto explanations = std::to_array<Explanation>({
    {"illegal map value",
     "a ':' where no value can begin; indent keys of one mapping alike, and quote a value that "
     "holds ': '"},
    {"illegal map key", "a key is not allowed here; indent keys of one mapping alike"},
    {"illegal block entry", "a '- ' where no list can begin; indent its entries alike"},
    {"end of sequence flow not found", "'[' is never closed; write ']' after the last value"},
    {"end of map flow not found", "'{' is never closed; write '}' after the last value"},
    {"end of map not found", "this line is indented unlike the keys above it; indent them alike"},
    {"end of sequence not found",
     "this line is indented unlike the entries above it; indent them alike"},
    {"illegal flow end", "a ']' or '}' that closes nothing; remove it, or quote the value"},
    {"unknown escape character",
     "an unknown escape '\\' in double quotes; write the value in single quotes"},
    {"the referenced anchor is not defined",
     "'*' before a value refers to another one; quote the value"},
    {"unknown token", "a value cannot begin with this character; quote it"},
    {"illegal EOF in scalar", "a quote is never closed"},
});

bool is_indented_by_tab(std::string_view line) {
  const std::size_t first = line.find_first_not_of(' ');
  return first != std::string_view::npos && line[first] == '\t' && !trim(line).empty();
}

}  // namespace

std::string yaml_trouble(std::string_view message, std::string_view text, int line) {
  const auto lines = split(text, '\n');
  for (int at = 0; at <= line && static_cast<std::size_t>(at) < lines.size(); ++at) {
    if (is_indented_by_tab(lines[static_cast<std::size_t>(at)]))
      return fmt::format("line {} is indented by a tab; use spaces", at + 1);
  }
  for (const Explanation& known : explanations)
    if (message.starts_with(known.message)) return std::string(known.words);
  return printable(message);
}

}  // namespace trainmark
