#pragma once

#include <filesystem>
#include <string_view>

namespace trainmark {

/// Opens a regular file below a folder for reading; -1 where there is none. No part of the way may
/// be a link, "..", "." or empty, so that nothing outside of the folder is ever opened.
int open_below(const std::filesystem::path& folder, std::string_view relative);

}  // namespace trainmark
