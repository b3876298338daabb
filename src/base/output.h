#pragma once

#include <fmt/format.h>

#include <ostream>
#include <string_view>

#include "base/text.h"

namespace trainmark {

/// Occupies the standard streams that were closed when the program was started: a file that is
/// opened later must not get the number of one, and be written to by whoever prints.
void occupy_standard_streams();

/// The way to standard output. It is buffered, and what goes wrong is kept for `finish_output`.
std::ostream& standard_output();

template <class... Values>
void print_out(fmt::format_string<Values...> text, Values&&... values) {
  standard_output() << safe_text(fmt::format(text, std::forward<Values>(values)...), "\n\t");
}

/// Writes what is left. Throws SystemError where something did not get out. A reader that has gone
/// (`| head`) has seen enough: that is no error.
void finish_output();

/// Words for people, on standard error, as far as they can be written there: whatever its state,
/// nothing is thrown, and the work goes on.
void write_diagnostics(std::string_view text) noexcept;

/// One line of them.
template <class... Values>
void say(fmt::format_string<Values...> text, Values&&... values) {
  write_diagnostics(safe_text(fmt::format(text, std::forward<Values>(values)...)) + "\n");
}

}  // namespace trainmark
