#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "data/making/make.h"

namespace trainmark::data {

/// Items with something wrong: how many, and the first of them.
struct FaultyItems {
  struct Fault {
    std::string name;
    std::string reason;
  };
  std::int64_t count = 0;
  std::vector<Fault> first;

  void add(const std::string& name, const std::string& reason);
};

struct CheckedDataSet {
  std::string format, kind;
  std::int64_t items = 0;        // of the first side, where there are two
  std::int64_t other_items = 0;  // of the second
  // Of its evaluation split, where it has one:
  std::int64_t evaluation_items = 0;
  std::int64_t other_evaluation_items = 0;
  std::int64_t bytes = 0;  // of all
  // Items, or pixels, of each class; those to train on that were read.
  std::vector<std::int64_t> per_class;
  std::vector<std::string> class_names;  // as many
  FaultyItems unreadable;
  FaultyItems misnamed;  // pictures in another encoding than their name says; they are read

  // Of a data set that was made by Trainmark:
  std::string made_by;  // empty: there are no checksums
  FaultyItems changed, missing, added;
  std::optional<Attainable> attainable;

  bool is_sound() const {
    return unreadable.count + changed.count + missing.count + added.count == 0;
  }
};

/// Reads and decodes every item of every split. Throws UserError where it is no data set.
CheckedDataSet check_data_set(const std::filesystem::path& path, int threads,
                              const Progress& progress);

}  // namespace trainmark::data
