#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "data/formats/data_set.h"
#include "data/pipeline/pipeline.h"
#include "user_error.h"

namespace trainmark::data {

/// A data set that tests fill themselves.
struct MemorySet : DataSet {
  explicit MemorySet(std::string kind) : kind_of_items(std::move(kind)) {}

  std::string format() const override { return "memory"; }
  std::string kind() const override { return kind_of_items; }
  std::int64_t size() const override { return static_cast<std::int64_t>(items.size()); }
  std::int64_t classes() const override { return class_count; }
  std::optional<std::array<std::uint8_t, 256>> label_map() const override { return map; }

  void read(std::int64_t index, Item& item) const override { copy(items, index, bad, item); }

  std::int32_t length(std::int64_t index) const override {
    return knows_lengths ? static_cast<std::int32_t>(at(items, index).target.size()) : 0;
  }
  std::int32_t source_length(std::int64_t index) const override {
    return knows_lengths ? static_cast<std::int32_t>(at(items, index).tokens.size()) : 0;
  }

  std::int64_t other_size() const override { return static_cast<std::int64_t>(others.size()); }
  void read_other(std::int64_t index, Item& item) const override {
    copy(others, index, bad_others, item);
  }

  std::string kind_of_items;
  std::vector<Item> items;
  std::vector<Item> others;
  std::set<std::int64_t> bad;  // cannot be read
  std::set<std::int64_t> bad_others;
  std::int64_t class_count = 0;
  std::optional<std::array<std::uint8_t, 256>> map;
  bool knows_lengths = true;

 private:
  static const Item& at(const std::vector<Item>& from, std::int64_t index) {
    return from.at(static_cast<std::size_t>(index));
  }

  static void copy(const std::vector<Item>& from, std::int64_t index,
                   const std::set<std::int64_t>& unreadable, Item& item) {
    item.name = at(from, index).name;
    if (unreadable.contains(index)) throw BadItem("it is damaged");
    item = at(from, index);
  }
};

/// Its red says where a pixel is across, its green where down, and its blue which picture it is.
inline Picture told_pixels(int width, int height, int number) {
  Picture picture{width, height, 3, {}};
  for (int y = 0; y < height; ++y)
    for (int x = 0; x < width; ++x)
      for (const int value : {x, y, number})
        picture.pixels.push_back(static_cast<std::uint8_t>(value));
  return picture;
}

/// Pictures of a few pixels, whose labels are their numbers.
inline std::shared_ptr<MemorySet> small_pictures(int count) {
  auto set = std::make_shared<MemorySet>(kind::labelled_images);
  for (int i = 0; i < count; ++i) {
    Item item;
    item.name = "picture" + std::to_string(i);
    item.decoded = told_pixels(12, 9, i);
    item.label = i;
    set->items.push_back(std::move(item));
  }
  return set;
}

inline PipelineSettings settings_for_pictures(std::int64_t batch) {
  PipelineSettings settings;
  settings.kind = kind::labelled_images;
  settings.batch = batch;
  settings.height = 8;
  settings.width = 8;
  return settings;
}

/// Why the one item of a set is refused.
inline std::string fault_of(const std::shared_ptr<const DataSet>& set, PipelineSettings settings) {
  settings.on_bad = OnBadItem::refuse;
  Pipeline pipeline(set, settings);
  return user_error_of([&] { pipeline.next(); });
}

}  // namespace trainmark::data
