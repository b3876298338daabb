#pragma once

#include <string_view>

namespace trainmark {

/// Whether an environment variable changes how fast training runs and may be kept with a result:
/// on the list of docs/environment.md, and with nothing in its name that smells of a secret.
bool is_recorded_variable(std::string_view name);

}  // namespace trainmark
