#pragma once

#include <string>

namespace trainmark {

/// The line on which something follows the first YAML document of a text; 0 where nothing does.
/// Throws YAML::Exception. YAML::LoadAll must not be asked: after a stray comma it finds empty
/// documents for ever (yaml-cpp 0.7).
int second_document(const std::string& text);

}  // namespace trainmark
