#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace trainmark {

/// "did you mean 'resnet50'?" or, where nothing is near, "known: a, b, c".
std::string suggest(std::string_view wrong, const std::vector<std::string>& known);

/// The name of `known` nearest to `wrong`, or "" where none is near enough to be a slip.
std::string nearest(std::string_view wrong, const std::vector<std::string>& known);

/// Shell-style match of the whole text: `*` any run of characters, `?` any one.
bool glob_match(std::string_view pattern, std::string_view text);

std::string join(const std::vector<std::string>& parts, std::string_view between);

std::vector<std::string> split(std::string_view text, char at);

std::string_view trim(std::string_view text);

/// Some editors and spreadsheets put a mark in front of what they save as UTF-8.
std::string_view without_byte_order_mark(std::string_view text);

/// "1 cell", "2 cells".
std::string counted(std::size_t count, std::string_view one);

/// Text of others made safe to show: control characters and broken UTF-8 become '?', and at most
/// `limit` bytes are kept.
std::string printable(std::string_view text, std::size_t limit = 200);

/// The whole text, made safe in the same way, but the letters in `kept` (such as line ends) left as
/// they are. Whatever goes to a terminal and may come from outside goes through this or through
/// `printable`: file names, messages, names and units of suites, lines of programs.
std::string safe_text(std::string_view text, std::string_view kept = "\n");

/// An argument vector as a line that can be pasted into a shell. It holds no control characters and
/// no marks that turn the direction of writing: they are written as escapes.
std::string shell_line(const std::vector<std::string>& command);

/// Columns a text takes on a terminal (wide East Asian characters count two).
std::size_t display_width(std::string_view text);

/// A figure with four to six significant digits, as tables show it: 0.01234, 5.983, 4664.2, 29525.
std::string figure(double value);

/// The half-width of an interval, given as a share of the figure: "±0.42 %". Wider than the figure
/// itself is "> 100 %", and the narrowest "< 0.01 %": how much more or less says nothing more.
std::string half_width_text(double share, bool unicode = true);

/// "850 ms", "12.3 s", "4 min 10 s".
std::string duration_text(double seconds);

}  // namespace trainmark
