#include "logs/generic/table_rows.h"

#include <algorithm>

#include "base/text.h"
#include "logs/generic/counter_words.h"

namespace trainmark {

namespace {

constexpr std::size_t longest_row = 1000;
constexpr std::size_t longest_cell = 32;
constexpr std::size_t fewest_cells = 3;
constexpr std::size_t most_cells_of_row = 60;

bool begins_word(std::string_view cell) {
  return (cell[0] >= 'a' && cell[0] <= 'z') || (cell[0] >= 'A' && cell[0] <= 'Z');
}

bool begins_value(std::string_view cell) {
  const std::size_t sign = cell[0] == '-' || cell[0] == '+' || cell[0] == '.' ? 1 : 0;
  return cell.size() > sign && cell[sign] >= '0' && cell[sign] <= '9';
}

/// What stands between the cells of a line.
char sign_between(std::string_view line) {
  for (const char sign : {'|', ',', '\t', ';'})
    if (std::count(line.begin(), line.end(), sign) >= 2) return sign;
  return ' ';
}

std::vector<std::string_view> cells_of(std::string_view line, char between) {
  std::vector<std::string_view> cells;
  line = trim(line);
  if (between == '|' && line.starts_with('|')) line.remove_prefix(1);
  if (between == '|' && line.ends_with('|')) line.remove_suffix(1);
  while (!line.empty() && cells.size() <= most_cells_of_row) {
    const std::size_t end = line.find(between);
    const std::string_view cell = trim(line.substr(0, end));
    if (!cell.empty() || between != ' ') cells.push_back(cell);
    if (end == std::string_view::npos) break;
    line.remove_prefix(end + 1);
  }
  return cells;
}

}  // namespace

bool TableRows::read_heading(std::string_view line, Heading& heading) {
  const std::string_view text = trim(line);
  if (text.size() > longest_row || text.empty()) return false;
  if (text[0] != '|' && !begins_word(text)) return false;
  if (text.find_first_of("=:") != std::string_view::npos) return false;  // names with their values
  const char between = sign_between(text);
  const auto cells = cells_of(text, between);
  if (cells.size() < fewest_cells || cells.size() > most_cells_of_row) return false;
  bool counts = false;
  std::vector<std::string> names;
  for (const std::string_view cell : cells) {
    if (cell.empty() || cell.size() > longest_cell || !begins_word(cell)) return false;
    std::string name(cell);
    for (char& letter : name)
      if (letter >= 'A' && letter <= 'Z') letter = static_cast<char>(letter - 'A' + 'a');
    counts = counts || is_step_counter(name) || is_epoch_counter(name);
    names.push_back(std::move(name));
  }
  if (!counts) return false;
  heading = {between, std::move(names)};
  return true;
}

bool TableRows::name_row(std::string_view line, const Heading& heading) {
  if (heading.names.empty() || line.size() > longest_row) return false;
  const auto cells = cells_of(line, heading.between);
  if (cells.size() != heading.names.size() || cells.front().empty() || !begins_value(cells.front()))
    return false;
  const auto values = std::count_if(cells.begin(), cells.end(), [](std::string_view cell) {
    return !cell.empty() && begins_value(cell);
  });
  if (2 * values < std::ssize(cells)) return false;
  text_ = {mark, '|'};
  for (std::size_t i = 0; i < cells.size(); ++i) {
    text_ += heading.names[i];
    text_ += '=';
    text_ += cells[i];
    text_ += '|';
  }
  return true;
}

std::string_view TableRows::named(std::string_view line) {
  if (name_row(line, heading_)) return text_;
  if (name_row(line, candidate_)) {
    heading_ = std::move(candidate_);
    candidate_ = {};
    return text_;
  }
  read_heading(line, candidate_);
  return line;
}

}  // namespace trainmark
