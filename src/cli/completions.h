#pragma once

#include <string>
#include <vector>

#include "cli/command_shape.h"

namespace trainmark {

/// A script that completes `trainmark` in a shell: commands, options, and values that are known.
/// Made from the options that the commands declare. Throws UserError for an unknown shell.
std::string completion_script(const std::string& shell, const std::vector<CommandShape>& commands);

}  // namespace trainmark
