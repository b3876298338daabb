#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace trainmark {

/// What `body` writes to its standard output in a process of its own, so that neither a crash nor a
/// hang in it is ours. At most 4 KiB. Nothing where it failed or took longer than `seconds`.
std::optional<std::string> output_of_child(const std::function<void()>& body, double seconds);

/// The full name of a program, looked for as a shell would; "" where there is none.
std::string find_program(std::string_view name, std::string_view search_path);

/// The first line a command prints; "" where it prints none or fails.
std::string first_line_of(const std::vector<std::string>& command);

}  // namespace trainmark
