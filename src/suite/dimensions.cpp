#include "suite/dimensions.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/error.h"
#include "base/text.h"

namespace trainmark {

namespace {

constexpr int most_number = 10'000'000;  // of items per batch, or of accumulated batches

int parse_count(const Placed<std::string>& value, const char* name, const char* or_else) {
  const auto number = parse_integer(value.value);
  if (number && *number >= 1 && *number <= most_number) return static_cast<int>(*number);
  fail_at(value.place, fmt::format("'{}' must be a whole number from 1 to {}{}, not '{}'", name,
                                   most_number, or_else, printable(value.value)));
}

void write_batch(Cell& cell, const Placed<std::string>& value) {
  if (value.value == "default") {
    cell.batch = 0;
  } else if (value.value == "max") {
    cell.batch = largest_batch;
  } else {
    cell.batch = parse_count(value, "batch", ", or max");
  }
}

std::string read_batch(const Cell& cell) {
  return cell.batch == largest_batch ? "max" : std::to_string(cell.batch);
}

void write_accumulate(Cell& cell, const Placed<std::string>& value) {
  cell.accumulate = value.value == "default" ? 1 : parse_count(value, "accumulate", "");
}

void write_scale(Cell& cell, const Placed<std::string>& value) {
  const auto scale = value.value.empty() ? unset_scale : Scale::parse(value.value);
  if (!scale) {
    fail_at(value.place, fmt::format("'{}' is not a scale; write nodes and processes a node as "
                                     "in 1n1g, 1n8g or 4n8g",
                                     printable(value.value)));
  }
  cell.scale = *scale;
}

/// A dimension whose values are names.
Dimension of_names(std::string name, std::string several, std::string fallback,
                   std::string Cell::*member) {
  return {.name = std::move(name),
          .several = std::move(several),
          .fallback = std::move(fallback),
          .read = [member](const Cell& cell) { return cell.*member; },
          .write = [member](Cell& cell,
                            const Placed<std::string>& value) { cell.*member = value.value; }};
}

}  // namespace

const std::vector<Dimension>& dimensions() {
  static const std::vector<Dimension> all = {
      of_names("workload", "workloads", "all", &Cell::workload),
      of_names("size", "sizes", "", &Cell::size),
      of_names("framework", "frameworks", "all", &Cell::framework),
      of_names("precision", "precisions", "", &Cell::precision),
      {.name = "batch",
       .several = "batches",
       .fallback = "default",
       .read = read_batch,
       .write = write_batch},
      of_names("device", "devices", "auto", &Cell::device),
      {.name = "accumulate",
       .several = "accumulations",
       .fallback = "1",
       .read = [](const Cell& cell) { return std::to_string(cell.accumulate); },
       .write = write_accumulate},
      {.name = "scale",
       .several = "scales",
       .fallback = "",
       .read = [](const Cell& cell) { return cell.scale.text(); },
       .write = write_scale},
  };
  return all;
}

const Dimension& dimension(const std::string& name) {
  const auto found = std::find_if(dimensions().begin(), dimensions().end(),
                                  [&](const Dimension& known) { return known.name == name; });
  TRAINMARK_ASSERT(found != dimensions().end());
  return *found;
}

DimensionValues take_dimensions(YamlMap& map) {
  DimensionValues values;
  for (const Dimension& known : dimensions()) {
    for (const auto& value : map.list(known.name)) values[known.name].push_back(value.value);
  }
  return values;
}

}  // namespace trainmark
