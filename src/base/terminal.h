#pragma once

#include <string>
#include <string_view>

namespace trainmark {

/// Is this stream a terminal that can take a line back? Not one that calls itself `dumb`: an
/// editor's window, or the console of a build server.
bool can_redraw(int stream);

/// Does the locale ask for UTF-8? Looked up as the C library does.
bool shows_unicode();

/// The same text with the marks of ours that ASCII has a likeness for: +- for ±, ... for …. What
/// has none, such as Chinese, stays.
std::string plain_letters(std::string_view text);

/// Words for people, on standard error, from a thread beside the one that writes to standard
/// output: that is left alone. What cannot be written is left out.
void write_beside(std::string_view text) noexcept;

/// The text as this stream can show it. A file keeps what a terminal could not show.
std::string shown_on(int stream, std::string_view text);

}  // namespace trainmark
