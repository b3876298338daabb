#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/registry.h"
#include "data/formats/data_set.h"

namespace trainmark::data {

/// What is asked of the items of a data set that is to be made.
struct ItemSettings {
  std::string format;
  std::int64_t items = 0;
  std::uint64_t seed = 1;
  /// By the names of options: classes, width, height, quality, vocabulary, tokens. Those that are
  /// not there take the subject's own values.
  std::map<std::string, std::int64_t> numbers;

  int number(const std::string& name, std::int64_t otherwise) const {
    const auto found = numbers.find(name);
    return static_cast<int>(found == numbers.end() ? otherwise : found->second);
  }

  /// Width and height; one alone is both.
  int width(int otherwise) const { return number("width", number("height", otherwise)); }
  int height(int otherwise) const { return number("height", number("width", otherwise)); }

  /// At most 1000 unless a number is given, and ten items of each.
  int classes() const;
};

/// Items for evaluation are those from this number on: none of them is trained on, however large
/// the data set is.
inline constexpr std::int64_t first_evaluation_item = std::int64_t{1} << 40;

/// The quality that nothing can exceed, whoever is trained for however long: that of a predictor
/// that knows how the data set was made. Of distances, what nothing can stay below, but for chance.
struct Attainable {
  std::string metric;
  double quality = 0;
};

/// Where every label follows from its item.
inline constexpr double without_fault = 1;

/// Makes items by their numbers, in any order, by any number of threads at once. An item depends on
/// the settings and its number alone.
class ItemMaker {
 public:
  virtual ~ItemMaker() = default;
  virtual std::int64_t classes() const { return 0; }
  virtual void make(std::int64_t index, Item& item) const = 0;

  /// Pictures of the other side, of image-pairs.
  virtual std::int64_t other_items() const { return 0; }
  virtual void make_other(std::int64_t /*index*/, Item& /*item*/) const {}

  /// Over the first so many items for evaluation, 0: there are none; nothing where it is not known.
  virtual std::optional<Attainable> attainable(std::int64_t /*items*/) const { return {}; }
};

/// Something that data sets are made of. Each registers itself from its own file, under the kind of
/// its items or, beyond the first of a kind, under a name of its own.
struct Subject {
  std::string kind;
  std::vector<std::string> numbers;  // the names of settings that it heeds
  std::function<std::unique_ptr<ItemMaker>(const ItemSettings&)> begin;  // throws UserError
};

/// The name that an item is written under.
std::string item_name(std::int64_t index);

}  // namespace trainmark::data
