#include <fmt/format.h>

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

}  // namespace

std::unique_ptr<DataSet> open_data_set(const std::filesystem::path& path) {
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
  return Registry<Format>::find(names.front())->open(path);
}

}  // namespace trainmark::data
