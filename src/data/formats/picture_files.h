#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "data/formats/packed_names.h"
#include "data/pictures/picture.h"

namespace trainmark::data {

/// Whether torchvision takes a file for a picture: by the end of its name. What it holds may be
/// something else.
bool is_picture_name(std::string_view name);

/// Every picture below a folder, with its path from there: folders in the order of their names, and
/// in each its pictures, as torchvision's make_dataset and CycleGAN's have them. Links are
/// followed, but not back into a folder that is being listed. Throws UserError where a folder
/// cannot be read.
void list_pictures(const std::filesystem::path& folder, PackedNames& names);

/// The folders in a folder, sorted; links to folders among them. Throws as `list_pictures` does.
std::vector<std::string> list_folders(const std::filesystem::path& folder);

/// Whether a picture lies directly in a folder; stops at the first.
bool holds_picture(const std::filesystem::path& folder);

/// "jpg" or "png", by what the bytes are. Throws BadItem where they are neither.
std::string extension_of(BytesView picture);

}  // namespace trainmark::data
