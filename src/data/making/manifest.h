#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "data/making/subject.h"

namespace trainmark::data {

/// The file in a data set of ours that says how it was made and what its items must be.
inline constexpr const char* manifest_name = "trainmark-data.json";

struct Manifest {
  std::string made_by;  // "trainmark 0.1.0"
  std::string format;
  std::string kind;
  std::string subject;
  std::uint64_t seed = 0;
  std::int64_t classes = 0;
  std::map<std::string, std::int64_t> numbers;  // that were asked for

  struct Sum {
    std::string name;
    std::uint32_t value = 0;
  };
  std::vector<Sum> sums;             // of every item, in the order of the data set
  std::vector<Sum> evaluation_sums;  // of its evaluation split
  std::optional<Attainable> attainable;
};

/// Throws SystemError.
void write_manifest(const std::filesystem::path& folder, const Manifest& manifest);

/// Nothing where a data set has none. Throws UserError where it is damaged.
std::optional<Manifest> read_manifest(const std::filesystem::path& data_set);

}  // namespace trainmark::data
