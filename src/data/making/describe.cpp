#include "data/making/describe.h"

#include <algorithm>
#include <vector>

#include "base/error.h"
#include "data/making/manifest.h"
#include "data/making/sides.h"
#include "data/pictures/decode.h"

namespace trainmark::data {

namespace {

constexpr std::int64_t sample_size = 1000;

std::optional<Spread> spread_of(std::vector<std::int64_t> numbers) {
  if (numbers.empty()) return std::nullopt;
  std::sort(numbers.begin(), numbers.end());
  return Spread{numbers.front(), numbers[numbers.size() / 2], numbers.back()};
}

/// What the sample has shown so far.
struct Sample {
  std::vector<std::int64_t> widths, heights, tokens, targets;
  std::int64_t bytes = 0, readable = 0;

  void add(const Item& item, bool is_pairs) {
    if (!item.decoded.pixels.empty()) {
      widths.push_back(item.decoded.width);
      heights.push_back(item.decoded.height);
    } else if (!item.picture.empty()) {
      const PictureInfo info = inspect(item.picture);
      widths.push_back(info.width);
      heights.push_back(info.height);
    }
    if (!item.tokens.empty()) tokens.push_back(static_cast<std::int64_t>(item.tokens.size()));
    if (is_pairs) targets.push_back(static_cast<std::int64_t>(item.target.size()));
    bytes += static_cast<std::int64_t>(
        item.picture.size() + item.decoded.pixels.size() + item.second.size() +
        (item.tokens.size() + item.target.size()) * sizeof(std::int32_t));
    ++readable;
  }
};

}  // namespace

DataSetDescription describe_data_set(const DataSet& set, const std::filesystem::path& path) {
  DataSetDescription description;
  const std::int64_t all = size_of_sides(set);
  description.sampled = std::min(sample_size, all);
  const bool is_pairs = set.kind() == kind::sentence_pairs;
  Sample sample;
  Item item;
  for (std::int64_t i = 0; i < description.sampled; ++i) {
    try {
      read_side(set, i * all / description.sampled, item);
      sample.add(item, is_pairs);
    } catch (const BadItem&) {
      ++description.unreadable;
    } catch (const BadPicture&) {
      ++description.unreadable;
    }
  }
  if (sample.readable > 0)
    description.mean_bytes =
        static_cast<double>(sample.bytes) / static_cast<double>(sample.readable);
  description.width = spread_of(sample.widths);
  description.height = spread_of(sample.heights);
  description.tokens = spread_of(sample.tokens);
  description.target = spread_of(sample.targets);
  if (const auto manifest = read_manifest(path)) {
    description.made_by = manifest->made_by;
    description.attainable = manifest->attainable;
  }
  if (const auto evaluation = open_evaluation_split(path)) {
    description.evaluation_items = evaluation->size();
    description.other_evaluation_items = evaluation->other_size();
  }
  return description;
}

}  // namespace trainmark::data
