#pragma once

#include <functional>
#include <map>
#include <string>
#include <vector>

#include "base/cell.h"
#include "suite/yaml_reader.h"

namespace trainmark {

/// What a block leaves out is empty until the framework is known.
inline constexpr Scale unset_scale{0, 0};

/// One dimension of the matrix: how it is called and how its values are written.
struct Dimension {
  std::string name;                              // in suites, on the command line, in messages
  std::string several;                           // its plural
  std::string fallback;                          // the value where a block leaves it out
  std::function<std::string(const Cell&)> read;  // as it is written in a suite
  /// Throws UserError with file:line where the value cannot be one of this dimension.
  std::function<void(Cell&, const Placed<std::string>&)> write;
};

/// All of them, in the order in which they are listed for people.
const std::vector<Dimension>& dimensions();

/// TRAINMARK_ASSERT: the name is one of them.
const Dimension& dimension(const std::string& name);

/// Values as they are written, `*` and `?` included, by the name of their dimension.
using DimensionValues = std::map<std::string, std::vector<std::string>>;

/// Takes the keys that are dimensions out of a mapping.
DimensionValues take_dimensions(YamlMap& map);

}  // namespace trainmark
