#pragma once

#include <algorithm>
#include <filesystem>
#include <string>

#include "base/generator.h"
#include "data/formats/data_set.h"
#include "data/pictures/encode.h"

// Small data sets of every kind, for tests to train on.

namespace trainmark::test {

/// Colours that run across the picture, other ones for each number.
inline data::Picture colours(int width, int height, std::uint64_t number) {
  const Generator generator(number, "colours");
  data::Picture picture{.width = width, .height = height, .channels = 3, .pixels = {}};
  for (int y = 0; y < height; ++y) {
    for (int x = 0; x < width; ++x) {
      for (std::uint64_t channel = 0; channel < 3; ++channel) {
        const auto across = generator.integer(2 * channel, 4) * x;
        const auto down = generator.integer(2 * channel + 1, 4) * y;
        picture.pixels.push_back(
            static_cast<std::uint8_t>(generator.integer(6 + channel, 256) + across + down));
      }
    }
  }
  return picture;
}

/// Four classes in bands, and one row that is to be ignored.
inline data::Picture label_map(int width, int height) {
  data::Picture picture{.width = width, .height = height, .channels = 1, .pixels = {}};
  for (int y = 0; y < height; ++y) {
    for (int x = 0; x < width; ++x) {
      picture.pixels.push_back(y == 0 ? std::uint8_t{255}
                                      : static_cast<std::uint8_t>(x * 4 / width));
    }
  }
  return picture;
}

inline std::vector<std::int32_t> sentence(std::int64_t length, std::uint64_t number) {
  const Generator generator(number, "sentence");
  std::vector<std::int32_t> tokens;
  for (std::int64_t i = 0; i < length; ++i) {
    tokens.push_back(
        5 + static_cast<std::int32_t>(generator.integer(static_cast<std::uint64_t>(i), 90)));
  }
  return tokens;
}

inline data::Item item_of(const std::string& kind, std::int64_t number) {
  const auto chance = static_cast<std::uint64_t>(number);
  data::Item item;
  item.name = std::to_string(number);
  if (kind == data::kind::sentence_pairs) {
    item.tokens = sentence(3 + number % 6, chance);
    item.target = sentence(2 + number % 7, chance + 1000);
  } else if (kind == data::kind::masked_sentences) {
    item.tokens = sentence(6 + number % 11, chance);
    item.positions = {1, 4};
    item.target = {6, 7};
    item.split = static_cast<std::int32_t>(item.tokens.size() / 2);
    item.follows = static_cast<std::int32_t>(number % 2);
  } else {
    const data::Picture picture = colours(80, 60, chance);
    item.picture = data::encode_jpeg(picture);
    item.label = number % 4;
    if (kind == data::kind::labelled_pixels) {
      item.picture = data::encode_png(picture);
      item.second = data::encode_png(label_map(80, 60));
    }
  }
  return item;
}

/// Writes `items` of a kind into a new folder.
inline void make_data_set(const std::filesystem::path& folder, const std::string& format,
                          const std::string& kind, std::int64_t items) {
  std::filesystem::create_directories(folder);
  const auto writer = Registry<data::Format>::find(format)->make_writer(
      {.folder = folder, .kind = kind, .classes = 4, .items_per_shard = 1000});
  for (std::int64_t i = 0; i < items; ++i) writer->write(item_of(kind, i));
  if (kind == data::kind::image_pairs) {
    for (std::int64_t i = 0; i < items; ++i) writer->write_other(item_of(kind, 500 + i));
  }
  writer->finish();
}

}  // namespace trainmark::test
