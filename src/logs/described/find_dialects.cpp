#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <vector>

#include "base/error.h"
#include "base/files.h"
#include "base/text.h"
#include "logs/described/described.h"

namespace trainmark {

namespace fs = std::filesystem;

namespace {

constexpr std::size_t largest_description = 1 << 16;
constexpr std::size_t most_descriptions = 1000;

bool is_description(const fs::path& path) {
  return path.extension() == ".yaml" || path.extension() == ".yml";
}

void add_file(const fs::path& path) {
  std::error_code error;
  const fs::path real = fs::weakly_canonical(path, error);
  const std::string file = error ? path.string() : real.string();
  DescribedDialect described = parse_dialect(read_file(path, largest_description), file);
  const Dialect* known = Registry<Dialect>::find(described.name);
  if (known != nullptr && known->file == file) return;
  if (known != nullptr)
    throw UserError(fmt::format("{}: there is a dialect '{}' already ({}); choose a different name",
                                file, described.name,
                                known->file.empty() ? "a built-in one" : known->file));
  Registry<Dialect>::all().emplace(described.name, std::move(described.dialect));
}

std::string environment(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? "" : value;
}

}  // namespace

void add_dialects(const fs::path& file_or_folder) {
  std::error_code error;
  if (!fs::is_directory(file_or_folder, error)) {
    add_file(file_or_folder);
    return;
  }
  std::vector<fs::path> files;
  for (const auto& entry : fs::directory_iterator(file_or_folder, error)) {
    if (is_description(entry.path())) files.push_back(entry.path());
    if (files.size() > most_descriptions)
      throw UserError(fmt::format("{} holds more than {} dialects", file_or_folder.string(),
                                  most_descriptions));
  }
  if (error)
    throw UserError(fmt::format("cannot read {}: {}", file_or_folder.string(), error.message()));
  std::sort(files.begin(), files.end());
  for (const fs::path& file : files) add_file(file);
}

fs::path own_dialects_folder() {
  fs::path settings = environment("XDG_CONFIG_HOME");
  // The specification wants relative paths to be passed over.
  if (!settings.is_absolute()) settings.clear();
  if (settings.empty() && !environment("HOME").empty())
    settings = fs::path(environment("HOME")) / ".config";
  return settings.empty() ? fs::path() : settings / "trainmark" / "dialects";
}

void add_own_dialects() {
  const fs::path folder = own_dialects_folder();
  std::error_code error;
  if (!folder.empty() && fs::is_directory(folder, error)) add_dialects(folder);
}

void add_suite_dialects(const Suite& suite) {
  const fs::path beside = fs::path(suite.file).parent_path();
  std::error_code error;
  for (const auto& named : suite.dialects) {
    if (!fs::exists(beside / named.value, error))
      fail_at(named.place, fmt::format("there is no {}; write the path of a YAML file, or of a "
                                       "folder of them, as seen from the suite",
                                       printable((beside / named.value).string())));
    add_dialects(beside / named.value);
  }
  if (suite.dialects.empty() && fs::is_directory(beside / "dialects", error) &&
      fs::is_regular_file(suite.file, error))
    add_dialects(beside / "dialects");
}

std::string resolved_dialect(const std::string& name_or_file) {
  if (!is_description(name_or_file)) return name_or_file;
  const std::string text = read_file(name_or_file, largest_description);
  add_dialects(name_or_file);
  std::error_code error;
  const fs::path real = fs::weakly_canonical(name_or_file, error);
  return parse_dialect(text, error ? name_or_file : real.string()).name;
}

}  // namespace trainmark
