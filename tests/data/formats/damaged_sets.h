#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <random>
#include <string>

#include "base/error.h"
#include "data/formats/data_set.h"
#include "data/formats/picture_sets.h"

namespace trainmark::data {

/// What became of damaged files. Errors other than those for damage are not caught.
struct DamageReport {
  int refused = 0;  // whole sets
  int bad_items = 0;
  int read_items = 0;
};

inline void read_damaged(const std::string& format, const std::filesystem::path& path,
                         DamageReport& report) {
  try {
    const auto set = Registry<Format>::find(format)->open(path, Split::training);
    Item item;
    for (std::int64_t i = 0; i < std::min<std::int64_t>(set->size(), 2000); ++i) {
      try {
        set->read(i, item);
        ++report.read_items;
      } catch (const BadItem& bad) {
        ++report.bad_items;
        EXPECT_STRNE(bad.what(), "");
        EXPECT_NE(item.name, "");
      }
      set->length(i);
      set->source_length(i);
    }
  } catch (const UserError& error) {
    ++report.refused;
    EXPECT_TRUE(says(error.what(), path.filename().string())) << error.what();
  }
}

/// Reads the file cut short at many places, and with bytes changed at random.
inline DamageReport damage_file(const std::string& format, const std::filesystem::path& path,
                                int cuts, int changes) {
  const std::string whole = content_of(path);
  DamageReport report;
  for (int cut = 0; cut < cuts; ++cut) {
    put_file(path, whole.substr(0, whole.size() * static_cast<std::size_t>(cut) /
                                       static_cast<std::size_t>(cuts)));
    read_damaged(format, path, report);
  }
  std::mt19937 chance(1);
  for (int change = 0; change < changes; ++change) {
    std::string changed = whole;
    for (std::uint32_t more = chance() % 4 + 1; more > 0; --more)
      changed[chance() % changed.size()] = static_cast<char>(chance());
    put_file(path, changed);
    read_damaged(format, path, report);
  }
  return report;
}

}  // namespace trainmark::data
