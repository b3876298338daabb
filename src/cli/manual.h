#pragma once

#include <string>
#include <vector>

#include "cli/command_shape.h"
#include "cli/examples.h"

namespace trainmark {

/// "trainmark-run", "trainmark-data-make".
std::string manual_name(const CommandShape& command);

/// The man page of a command, trainmark-COMMAND(1), as roff.
std::string manual_page(const CommandShape& command, const std::vector<Example>& examples);

/// That of the program, trainmark(1), which names the commands.
std::string manual_overview(const std::vector<CommandShape>& commands,
                            const std::vector<Example>& examples, const std::string& notes);

}  // namespace trainmark
