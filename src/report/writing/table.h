#pragma once

#include <iosfwd>
#include <string>
#include <vector>

namespace trainmark {

/// What the place can show where a table is read.
struct TerminalOptions {
  std::size_t width = 0;  // columns of the terminal; 0 = as wide as it needs to be
  bool colour = false;
  bool unicode = true;
};

/// Of the figures that a table is made for: more than what any other column can have.
inline constexpr int last_to_go = 1000;

enum class Align { left, right, centre };

/// What a text means, for those who can see colours; never the only sign of it.
enum class Tone { plain, good, bad, doubtful };

struct Column {
  std::string title;
  Align align = Align::left;
  int importance = 0;           // where the room is short, the least important go first
  std::size_t least_width = 0;  // may be shortened down to this; 0 = never shortened
};

struct TableCell {
  TableCell(std::string words = "", Tone meaning = Tone::plain)
      : text(std::move(words)), tone(meaning) {}
  TableCell(const char* words, Tone meaning = Tone::plain) : text(words), tone(meaning) {}

  std::string text;  // plain: renderers make it safe
  Tone tone;
  std::string note;  // shown raised, in brackets, where that is possible: "BS=96"
};

struct Table {
  std::vector<Column> columns;
  std::vector<std::vector<TableCell>> rows;  // each as long as `columns`
};

inline constexpr std::size_t column_gap = 2;  // columns of the terminal between two of a table

/// In columns, at most `options.width` wide.
void write_terminal(const Table& table, const TerminalOptions& options, std::ostream& out);

void write_markdown(const Table& table, std::ostream& out);

/// A text cut to a number of terminal columns, with a mark where something was cut.
std::string shortened(const std::string& text, std::size_t width, bool unicode);

/// A share of 1 as a bar of at most `width` columns: "██████▌", or "######" without Unicode.
std::string bar_text(double share, std::size_t width, bool unicode);

/// Words in the colour of their meaning, where colour is allowed.
std::string coloured(const std::string& text, Tone tone, const TerminalOptions& options);

}  // namespace trainmark
