#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <string_view>

#include "data/making/subject.h"

namespace trainmark::data {

/// How far some work has got: what was done to how many of all items.
using Progress = std::function<void(std::string_view what, std::int64_t done, std::int64_t items)>;

struct MakeSettings {
  ItemSettings items;
  std::int64_t evaluation_items = 0;  // of a split of their own; 0: there is none
  std::string subject;                // empty: the first kind that the format can hold
  std::filesystem::path out;
  int threads = 1;
  std::string made_by;
};

/// What was made.
struct MadeDataSet {
  std::int64_t items = 0;             // of both sides
  std::int64_t evaluation_items = 0;  // likewise
  std::int64_t classes = 0;
  std::int64_t bytes = 0;  // of pictures and tokens
  std::string kind;
  std::optional<Attainable> attainable;
};

/// Writes a data set. The same settings give the same bytes, whatever the number of threads. It is
/// read once before it gets its name, for the checksums of its manifest. Throws UserError,
/// SystemError, and Interrupted where a signal was noted; then nothing is left.
MadeDataSet make_data_set(const MakeSettings& settings, const Progress& progress);

}  // namespace trainmark::data
