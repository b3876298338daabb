#include "suite/dimensions.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/error.h"
#include "base/text.h"
#include "suite/data_sets.h"

namespace trainmark {

namespace {

constexpr int most_number = 10'000'000;  // of items per batch, or of accumulated batches
constexpr int most_shape = 1'000'000'000;

int parse_count(const Placed<std::string>& value, const char* name, const char* or_else) {
  const auto number = parse_integer(value.value);
  if (number && *number >= 1 && *number <= most_number) return static_cast<int>(*number);
  fail_at(value.place, fmt::format("'{}' must be a whole number from 1 to {}{}, not '{}'", name,
                                   most_number, or_else, printable(value.value)));
}

constexpr const char* at_most = "at most ";

void write_batch(Cell& cell, const Placed<std::string>& value) {
  cell.at_most = value.value.starts_with(at_most);
  if (cell.at_most) {
    cell.batch = parse_count({value.value.substr(std::string(at_most).size()), value.place},
                             "batch: at most", "");
  } else if (value.value == "default") {
    cell.batch = 0;
  } else if (value.value == "max") {
    cell.batch = largest_batch;
  } else {
    cell.batch = parse_count(value, "batch", ", \"at most NUMBER\" or max");
  }
}

std::string read_batch(const Cell& cell) {
  if (cell.batch == largest_batch) return "max";
  return (cell.at_most ? at_most : "") + std::to_string(cell.batch);
}

double parse_shape(const Placed<std::string>& value, const std::string& name) {
  if (name == "sample_rate") {
    const auto rate = parse_real(value.value);
    if (rate && *rate > 0 && *rate <= 1) return *rate;
    fail_at(value.place,
            fmt::format("'sample_rate' must be a share above 0 and up to 1, such as 0.1, not '{}'",
                        printable(value.value)));
  }
  if (value.value == "max") return largest_shape;
  const auto number = parse_integer(value.value);
  if (number && *number >= 1 && *number <= most_shape) return static_cast<double>(*number);
  fail_at(value.place, fmt::format("'{}' must be a whole number from 1 to {}, or max, not '{}'",
                                   name, most_shape, printable(value.value)));
}

/// A dimension that a size has a value for; a cell holds it where it differs.
Dimension of_shape(const std::string& name, std::string several) {
  return {.name = name,
          .several = std::move(several),
          .fallback = "default",
          .read =
              [name](const Cell& cell) {
                const auto found = cell.shapes.find(name);
                return found == cell.shapes.end() ? "default" : shape_text(found->second);
              },
          .write =
              [name](Cell& cell, const Placed<std::string>& value) {
                if (value.value == "default") {
                  cell.shapes.erase(name);
                } else {
                  cell.shapes[name] = parse_shape(value, name);
                }
              }};
}

void write_accumulate(Cell& cell, const Placed<std::string>& value) {
  cell.accumulate = value.value == "default" ? 1 : parse_count(value, "accumulate", "");
}

void write_scale(Cell& cell, const Placed<std::string>& value) {
  const auto scale = value.value.empty() ? unset_scale : Scale::parse(value.value);
  if (!scale) {
    fail_at(value.place, fmt::format("'{}' is not a scale; write nodes and processes per node as "
                                     "in 1n1g, 1n8g or 4n8g",
                                     printable(value.value)));
  }
  cell.scale = *scale;
}

void write_data(Cell& cell, const Placed<std::string>& value) {
  cell.data = value.value == synthetic_data ? "" : data_name(value.value);
  if (cell.data.empty() && value.value != synthetic_data)
    fail_at(value.place, "'data' must be the path of a data set, or 'synthetic'");
}

void write_input(Cell& cell, const Placed<std::string>& value) {
  static const std::vector<std::string> known = {input_way::all, input_way::step,
                                                 input_way::pipeline, input_way::both};
  if (std::find(known.begin(), known.end(), value.value) == known.end())
    fail_at(value.place,
            fmt::format("'input' must be step (made-up data), pipeline (nothing is trained) or "
                        "both, not '{}'",
                        printable(value.value)));
  cell.input = value.value;
}

std::string read_input(const Cell& cell) {
  if (!cell.input.empty()) return cell.input;
  return cell.data.empty() ? input_way::step : input_way::both;
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
      of_shape("resolution", "resolutions"),
      of_shape("sequence", "sequence lengths"),
      of_shape("classes", "numbers of classes"),
      of_shape("sample_rate", "sample rates"),
      {.name = "data",
       .several = "data sets",
       .fallback = synthetic_data,
       .read = [](const Cell& cell) { return cell.data.empty() ? synthetic_data : cell.data; },
       .write = write_data},
      {.name = "input",
       .several = "ways of input",
       .fallback = input_way::all,
       .read = read_input,
       .write = write_input},
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
