#include "report/writing/table.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <ostream>

#include "base/text.h"

namespace trainmark {

namespace {

std::string shown(const TableCell& cell) {
  std::string text = printable(cell.text);
  if (!cell.note.empty()) text += " [" + printable(cell.note) + "]";
  return text;
}

/// A table as it is laid out: safe texts, and the width each column got.
struct Layout {
  std::vector<std::size_t> columns;  // those that are shown
  std::vector<std::size_t> widths;   // of all columns of the table
  std::vector<std::vector<std::string>> texts;

  std::size_t width() const {
    const std::size_t between = columns.empty() ? 0 : column_gap * (columns.size() - 1);
    return std::accumulate(columns.begin(), columns.end(), between,
                           [&](std::size_t sum, std::size_t c) { return sum + widths[c]; });
  }
};

std::size_t least(const Column& column, std::size_t width) {
  return column.least_width == 0 ? width : std::min(width, column.least_width);
}

/// Columns go, the least important first, until the rest fits when shortened as far as it may be.
void drop_columns(const Table& table, std::size_t room, Layout& layout) {
  const auto least_sum = [&] {
    std::size_t sum = column_gap * (layout.columns.size() - 1);
    for (const std::size_t c : layout.columns) sum += least(table.columns[c], layout.widths[c]);
    return sum;
  };
  while (layout.columns.size() > 1 && least_sum() > room) {
    // Of equals the last one goes.
    const auto worst = std::min_element(
        layout.columns.rbegin(), layout.columns.rend(), [&](std::size_t a, std::size_t b) {
          return table.columns[a].importance < table.columns[b].importance;
        });
    layout.columns.erase(std::next(worst).base());
  }
}

/// What is still too much is taken from the widest column that may be shortened.
void shrink_columns(const Table& table, std::size_t room, Layout& layout) {
  while (layout.width() > room) {
    std::size_t* widest = nullptr;
    for (const std::size_t c : layout.columns) {
      const bool may = layout.widths[c] > least(table.columns[c], layout.widths[c]);
      if (may && (!widest || layout.widths[c] > *widest)) widest = &layout.widths[c];
    }
    if (!widest) break;
    --*widest;
  }
  // One column is left and its figures do not fit: cut them all the same, never the line.
  if (layout.columns.size() == 1)
    layout.widths[layout.columns[0]] = std::min(layout.widths[layout.columns[0]], room);
}

Layout lay_out(const Table& table, std::size_t room) {
  Layout layout;
  layout.columns.resize(table.columns.size());
  std::iota(layout.columns.begin(), layout.columns.end(), std::size_t{0});
  for (const Column& column : table.columns)
    layout.widths.push_back(display_width(printable(column.title)));
  for (const auto& row : table.rows) {
    std::vector<std::string>& texts = layout.texts.emplace_back();
    for (std::size_t c = 0; c < table.columns.size(); ++c) {
      texts.push_back(shown(row[c]));
      layout.widths[c] = std::max(layout.widths[c], display_width(texts.back()));
    }
  }
  if (room > 0 && layout.width() > room) {
    drop_columns(table, room, layout);
    shrink_columns(table, room, layout);
  }
  return layout;
}

std::string padded(const std::string& text, std::size_t width, Align align, bool is_last,
                   const std::string& painted) {
  const std::size_t used = display_width(text);
  const std::size_t free = width > used ? width - used : 0;
  const std::size_t before = align == Align::right ? free : align == Align::centre ? free / 2 : 0;
  // No blanks at the end of a line: they are a nuisance when copied.
  const std::size_t after = is_last ? 0 : free - before;
  return std::string(before, ' ') + painted + std::string(after, ' ');
}

}  // namespace

std::string shortened(const std::string& text, std::size_t width, bool unicode) {
  if (display_width(text) <= width) return text;
  const std::string mark = unicode ? "…" : "~";
  if (width == 0) return "";
  std::string result;
  std::size_t used = 0;
  for (std::size_t at = 0; at < text.size();) {
    std::size_t next = at + 1;
    while (next < text.size() && (static_cast<unsigned char>(text[next]) & 0xC0) == 0x80) ++next;
    const std::string_view letter(text.data() + at, next - at);
    used += display_width(letter);
    if (used > width - 1) break;
    result += letter;
    at = next;
  }
  return result + mark;
}

std::string bar_text(double share, std::size_t width, bool unicode) {
  static constexpr std::array<std::string_view, 8> eighths = {"",  "▏", "▎", "▍",
                                                              "▌", "▋", "▊", "▉"};
  const double whole = std::clamp(share, 0.0, 1.0) * static_cast<double>(width);
  if (!unicode) return std::string(static_cast<std::size_t>(std::lround(whole)), '#');
  const auto parts = static_cast<std::size_t>(std::lround(whole * 8));
  std::string bar;
  for (std::size_t i = 0; i < parts / 8; ++i) bar += "█";
  return bar + std::string(eighths[parts % 8]);
}

std::string coloured(const std::string& text, Tone tone, const TerminalOptions& options) {
  if (!options.colour || tone == Tone::plain || text.empty()) return text;
  const char* code = tone == Tone::good ? "32" : tone == Tone::bad ? "31" : "33";
  return std::string("\x1b[") + code + "m" + text + "\x1b[0m";
}

void write_terminal(const Table& table, const TerminalOptions& options, std::ostream& out) {
  const Layout layout = lay_out(table, options.width);
  std::string line;
  const auto add = [&](std::size_t c, const std::string& text, Tone tone, bool is_title) {
    const std::string fitting = shortened(text, layout.widths[c], options.unicode);
    std::string painted = coloured(fitting, tone, options);
    if (is_title && options.colour) painted = "\x1b[1m" + fitting + "\x1b[0m";
    if (c != layout.columns.front()) line += std::string(column_gap, ' ');
    line += padded(fitting, layout.widths[c], table.columns[c].align, c == layout.columns.back(),
                   painted);
  };
  const auto flush = [&] {
    while (!line.empty() && line.back() == ' ') line.pop_back();
    out << line << '\n';
    line.clear();
  };
  for (const std::size_t c : layout.columns)
    add(c, printable(table.columns[c].title), Tone::plain, true);
  flush();
  const char* dash = options.unicode ? "─" : "-";
  for (const std::size_t c : layout.columns) {
    if (c != layout.columns.front()) line += std::string(column_gap, ' ');
    for (std::size_t i = 0; i < layout.widths[c]; ++i) line += dash;
  }
  flush();
  for (std::size_t r = 0; r < table.rows.size(); ++r) {
    for (const std::size_t c : layout.columns)
      add(c, layout.texts[r][c], table.rows[r][c].tone, false);
    flush();
  }
}

}  // namespace trainmark
