#pragma once

#include <string>
#include <string_view>

namespace trainmark {

/// The whole text, with control characters and broken UTF-8 made visible as '?', but those in
/// `kept` (such as line ends) left as they are.
std::string safe_text(std::string_view text, std::string_view kept);

}  // namespace trainmark
