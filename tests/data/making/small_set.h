#pragma once

#include <filesystem>
#include <map>
#include <string>

#include "base/files.h"
#include "data/making/make.h"

namespace trainmark::data {

/// Settings for a set that is made in no time.
inline MakeSettings small_set(const std::string& format, const std::filesystem::path& out,
                              std::int64_t items = 12) {
  MakeSettings settings;
  settings.items.format = format;
  settings.items.items = items;
  settings.out = out;
  settings.threads = 2;
  settings.made_by = "a test";
  const std::string& kind = Registry<Format>::find(format)->kinds.front();
  if (kind == kind::labelled_images || kind == kind::image_pairs || kind == kind::labelled_pixels)
    settings.items.numbers["height"] = 32;
  if (kind == kind::labelled_images) settings.items.numbers["classes"] = 3;
  return settings;
}

inline MadeDataSet make_quietly(const MakeSettings& settings) {
  return make_data_set(settings, [](std::string_view, std::int64_t, std::int64_t) {});
}

/// Every file below a folder, by its path in it.
inline std::map<std::string, std::string> contents_below(const std::filesystem::path& folder) {
  std::map<std::string, std::string> files;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(folder))
    if (entry.is_regular_file())
      files[entry.path().lexically_relative(folder).string()] = read_file(entry.path(), SIZE_MAX);
  return files;
}

}  // namespace trainmark::data
