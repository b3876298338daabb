#pragma once

#include <span>
#include <string_view>

namespace trainmark {

/// A text file that was taken into the program when it was built (cmake/Embed.cmake).
struct EmbeddedFile {
  std::string_view name;  // without folder and ending
  std::string_view text;
};

}  // namespace trainmark
