#pragma once

#include <string>
#include <string_view>

namespace trainmark {

/// What is wrong with a YAML file, and what to write instead: yaml-cpp's messages name the rules of
/// its grammar. `line`: from 0, where it gave up.
std::string yaml_trouble(std::string_view message, std::string_view text, int line);

}  // namespace trainmark
