#include "cli/output_path.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <set>

#include "base/error.h"
#include "base/text.h"
#include "base/time.h"
#include "base/version.h"
#include "journal/journal.h"

namespace trainmark {

namespace fs = std::filesystem;

namespace {

/// Which file this is, whatever its name: device and number. Nothing where it is not there.
std::optional<std::pair<dev_t, ino_t>> identity(const fs::path& path) {
  struct stat status {};
  if (::stat(path.c_str(), &status) != 0) return std::nullopt;
  return std::pair(status.st_dev, status.st_ino);
}

bool is_same_file(const fs::path& one, const fs::path& other) {
  const auto first = identity(one);
  return first && first == identity(other);
}

bool lies_below(const fs::path& file, const fs::path& folder) {
  std::error_code error;
  const fs::path inner =
      fs::canonical(file, error).lexically_relative(fs::canonical(folder, error));
  return !error && !inner.empty() && *inner.begin() != "..";
}

/// A folder of results is more than its journal: the logs of the runs are read, too.
bool is_part_of(const fs::path& file, const std::string& input) {
  if (is_same_file(file, input)) return true;
  return has_journal(input) &&
         (is_same_file(file, journal_file(input)) || lies_below(file, fs::path(input) / "runs"));
}

/// What we leave in a folder before there is a journal: of a job that waits for its start, or of a
/// bench that was killed in its first moment.
bool is_ours(const fs::directory_entry& entry) {
  static const std::set<std::string> names = {"job.sh", "job.log", "lock", "reserve"};
  const std::string name = entry.path().filename().string();
  std::error_code error;
  if (name == "runs") return fs::is_empty(entry.path(), error) && !error;
  return names.contains(name) || name.starts_with(".trainmark-");
}

bool are_digits(std::string_view text) {
  return !text.empty() && std::all_of(text.begin(), text.end(),
                                      [](unsigned char c) { return std::isdigit(c) != 0; });
}

}  // namespace

CLI::Option* add_path_option(CLI::App& app, const std::string& name, std::string& path,
                             const std::string& help) {
  return app.add_option(name, path, help)->check([](const std::string& given) {
    return given.empty() ? std::string("the name is empty; write a path, or omit the option")
                         : std::string();
  });
}

void check_output_file(const std::string& option, const fs::path& file,
                       const std::vector<std::string>& inputs) {
  for (const std::string& input : inputs) {
    if (!is_part_of(file, input)) continue;
    throw UserError(
        fmt::format("{} {}: this is the input ({}), and writing would destroy it; name another "
                    "file",
                    option, printable(file.string()), printable(input)));
  }
  if (!is_journal(file)) return;
  throw UserError(fmt::format(
      "{} {}: this is a journal, and writing would destroy its results; name another file", option,
      printable(file.string())));
}

void check_output_folder(const std::string& option, const fs::path& folder) {
  std::error_code error;
  if (!fs::exists(folder, error) || has_journal(folder)) return;
  if (!fs::is_directory(folder, error)) {
    throw UserError(
        fmt::format("{} {}: this is a file; name a folder that is new, empty or holds "
                    "results",
                    option, printable(folder.string())));
  }
  for (const auto& entry : fs::directory_iterator(folder, error)) {
    if (is_ours(entry)) continue;
    throw UserError(fmt::format(
        "{} {}: the folder holds other files (such as {}) and no journal; name one that "
        "is new, empty or holds results",
        option, printable(folder.string()), printable(entry.path().filename().string())));
  }
}

fs::path make_results_folder(const std::string& name) {
  const fs::path first = results_folder() / fmt::format("{}-{}", name, file_stamp());
  fs::path folder = first;
  std::error_code error;
  fs::create_directories(first.parent_path(), error);
  for (int number = 2; !error && !fs::create_directory(folder, error); ++number)
    folder = fmt::format("{}-{}", first.string(), number);
  if (!error) return folder;
  throw SystemError(
      fmt::format("cannot create the folder {}: {}", folder.string(), error.message()));
}

bool is_results_folder(const fs::path& folder, const std::string& name) {
  const std::string last = folder.filename().string();
  if (!last.starts_with(name + "-")) return false;
  const std::vector<std::string> parts = split(last.substr(name.size() + 1), '-');
  return (parts.size() == 2 || parts.size() == 3) && parts[0].size() == 8 && parts[1].size() == 6 &&
         std::all_of(parts.begin(), parts.end(), are_digits);
}

}  // namespace trainmark
