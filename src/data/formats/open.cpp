#include <fmt/format.h>

#include <algorithm>

#include "base/error.h"
#include "base/text.h"
#include "data/formats/data_set.h"

namespace trainmark::data {

namespace {

std::string known_formats() {
  std::string text;
  for (const auto& [name, format] : Registry<Format>::all())
    text += fmt::format("\n  {:14} {}", name, format.summary);
  return text;
}

const Format& format_of(const std::filesystem::path& path) {
  const std::string shown = printable(path.string());
  std::error_code error;
  if (!std::filesystem::exists(path, error))
    throw UserError(fmt::format("{}: there is no such file or folder; name a data set", shown));
  std::vector<std::string> names;
  for (const auto& [name, format] : Registry<Format>::all())
    if (format.recognizes(path)) names.push_back(name);
  if (names.empty())
    throw UserError(
        fmt::format("{}: not a data set that is known; known formats:{}", shown, known_formats()));
  if (names.size() > 1)
    throw UserError(
        fmt::format("{}: there is more than one data set in it ({}); name one of its "
                    "files or folders",
                    shown, join(names, ", ")));
  return *Registry<Format>::find(names.front());
}

/// Labels of image folders are the places of their names: they must stand for the same.
void check_class_names(const DataSet& training, const DataSet& evaluation) {
  if (training.format() != "imagefolder" || evaluation.format() != "imagefolder") return;
  for (std::int64_t label = 0; label < std::max(training.classes(), evaluation.classes());
       ++label) {
    const auto name = [&](const DataSet& set) {
      return label < set.classes() ? "'" + printable(set.class_name(label)) + "'" : "none";
    };
    if (name(training) != name(evaluation))
      throw UserError(
          fmt::format("class {} is {} in the data set for training, and {} in that for evaluation; "
                      "both need folders of the same names",
                      label, name(training), name(evaluation)));
  }
}

}  // namespace

std::unique_ptr<DataSet> open_evaluation_split(const std::filesystem::path& path) {
  return format_of(path).open(path, Split::evaluation);
}

std::unique_ptr<DataSet> open_data_set(const std::filesystem::path& path, Split split) {
  std::unique_ptr<DataSet> set = format_of(path).open(path, split);
  if (!set)
    throw UserError(fmt::format("{} has no evaluation split; write --evaluation-data PATH",
                                printable(path.string())));
  return set;
}

std::unique_ptr<DataSet> open_evaluation_set(const DataSet& training,
                                             const std::filesystem::path& data,
                                             const std::filesystem::path& evaluation_data) {
  std::unique_ptr<DataSet> set;
  if (evaluation_data.empty()) {
    set = open_data_set(data, Split::evaluation);
  } else {
    const Format& format = format_of(evaluation_data);
    set = format.open(evaluation_data, Split::evaluation);
    if (!set) set = format.open(evaluation_data, Split::training);
  }
  check_class_names(training, *set);
  return set;
}

}  // namespace trainmark::data
