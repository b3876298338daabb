#include "suite/data_sets.h"

#include <fmt/format.h>

#include "base/text.h"

namespace trainmark {

namespace {

namespace fs = std::filesystem;

fs::path path_of(const Placed<std::string>& value, const Suite& suite) {
  const fs::path path = value.value;
  const bool in_suite = value.place.file == suite.file;
  return fs::weakly_canonical(in_suite ? fs::path(suite.file).parent_path() / path : path);
}

}  // namespace

std::string data_name(const std::string& path) {
  fs::path clean = fs::path(path).lexically_normal();
  if (!clean.has_filename()) clean = clean.parent_path();  // "imagenet/"
  return clean.filename().string();
}

std::map<std::string, fs::path> data_sets(const Suite& suite) {
  std::map<std::string, fs::path> sets;
  for (const Matrix& matrix : suite.matrices) {
    const auto found = matrix.values.find("data");
    if (found == matrix.values.end()) continue;
    for (const Placed<std::string>& value : found->second) {
      if (value.value == synthetic_data) continue;
      const fs::path path = path_of(value, suite);
      std::error_code error;
      if (!fs::exists(path, error))
        fail_at(value.place, fmt::format("data: {} was not found; write the path of a data set, or "
                                         "'synthetic' (`trainmark data make` makes one)",
                                         printable(path.string())));
      const auto [known, is_new] = sets.emplace(data_name(value.value), path);
      if (!is_new && known->second != path)
        fail_at(value.place,
                fmt::format("data: {} and {} are both called '{}' in reports; rename one of them",
                            printable(known->second.string()), printable(path.string()),
                            printable(known->first)));
    }
  }
  return sets;
}

std::vector<Cell> ways_of(const Cell& wanted, const Suite& suite) {
  Cell both = wanted;
  both.input.clear();
  if (suite.trains_to_quality()) {
    // Only made-up data are left to the plan to refuse, since a data set is missing there.
    const bool trains = wanted.input == input_way::all || wanted.input == input_way::both;
    return trains ? std::vector{both} : std::vector<Cell>();
  }
  Cell step = both;
  step.data.clear();
  if (wanted.data.empty()) {
    const bool of_step = wanted.input == input_way::all || wanted.input == input_way::step;
    return of_step ? std::vector{step} : std::vector<Cell>();
  }
  Cell pipeline = both;
  pipeline.input = pipeline_only;
  if (wanted.input == input_way::step) return {step};
  if (wanted.input == input_way::pipeline) return {pipeline};
  if (wanted.input == input_way::both) return {both};
  return {step, pipeline, both};
}

}  // namespace trainmark
