#pragma once

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>
#include <vector>

#include "data/formats/data_set.h"
#include "user_error.h"

namespace trainmark::data {

/// Bytes that begin as a JPEG does; formats look no further.
inline Bytes jpeg_like(std::string_view rest) {
  Bytes bytes = {0xff, 0xd8, 0xff};
  bytes.insert(bytes.end(), rest.begin(), rest.end());
  return bytes;
}

inline Bytes png_like(std::string_view rest) {
  Bytes bytes = {0x89, 'P', 'N', 'G'};
  bytes.insert(bytes.end(), rest.begin(), rest.end());
  return bytes;
}

inline Item labelled(Bytes picture, std::int64_t label) {
  Item item;
  item.picture = std::move(picture);
  item.label = label;
  return item;
}

inline std::unique_ptr<DataSetWriter> writer_of(const std::string& format,
                                                WriterSettings settings) {
  return Registry<Format>::find(format)->make_writer(settings);
}

/// Writes the items, and opens what was written.
inline std::unique_ptr<DataSet> round_trip(const std::string& format,
                                           const WriterSettings& settings,
                                           const std::vector<Item>& items) {
  const std::unique_ptr<DataSetWriter> writer = writer_of(format, settings);
  for (const Item& item : items) writer->write(item);
  writer->finish();
  std::unique_ptr<DataSet> set = open_data_set(settings.folder);
  EXPECT_EQ(set->format(), format);
  return set;
}

inline Item item_of(const DataSet& set, std::int64_t index) {
  Item item;
  set.read(index, item);
  return item;
}

/// Why an item cannot be read; empty where it can.
inline std::string trouble_with(const DataSet& set, std::int64_t index) {
  return message_of<BadItem>([&] { item_of(set, index); });
}

inline void expect_same_items(const DataSet& set, const std::vector<Item>& items) {
  ASSERT_EQ(set.size(), std::ssize(items));
  Item item;  // whose memory is used again
  for (std::size_t number = 0; number < items.size(); ++number) {
    set.read(static_cast<std::int64_t>(number), item);
    EXPECT_EQ(item.picture, items[number].picture) << item.name;
    EXPECT_EQ(item.label, items[number].label) << item.name;
  }
}

/// Why a path is not opened; empty where it is.
inline std::string refusal_of(const std::filesystem::path& path) {
  return user_error_of([&] { open_data_set(path); });
}

inline void put_file(const std::filesystem::path& path, std::string_view content) {
  std::filesystem::create_directories(path.parent_path());
  std::ofstream(path, std::ios::binary).write(content.data(), std::ssize(content));
}

inline void put_file(const std::filesystem::path& path, const Bytes& content) {
  put_file(path, std::string_view(reinterpret_cast<const char*>(content.data()), content.size()));
}

inline std::string content_of(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

/// The names of what lies in a folder, hidden or not.
inline std::vector<std::string> names_in(const std::filesystem::path& folder) {
  std::vector<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(folder))
    names.push_back(entry.path().filename().string());
  std::sort(names.begin(), names.end());
  return names;
}

inline bool says(const std::string& text, std::string_view part) {
  return text.find(part) != std::string::npos;
}

}  // namespace trainmark::data
