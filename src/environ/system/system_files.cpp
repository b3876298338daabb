#include "environ/system/system_files.h"

#include <dirent.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cmath>

#include "base/text.h"

namespace trainmark {

namespace fs = std::filesystem;

namespace {

constexpr int most_cpus = 1 << 16;  // a list that names more is damaged

}  // namespace

SystemFiles::SystemFiles(const fs::path& root) : root_(root.string()) {
  while (!root_.empty() && root_.back() == '/') root_.pop_back();
}

std::optional<std::string> SystemFiles::text(std::string_view path, std::size_t limit) const {
  const std::string full = root_ + std::string(path);
  const int file = ::open(full.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (file < 0) return std::nullopt;
  std::string content;
  // Grown as needed: most of these files are a few bytes, and conditions are sampled often.
  std::size_t room = std::min<std::size_t>(limit, 4096);
  while (content.size() < limit) {
    const std::size_t before = content.size();
    content.resize(std::min(limit, before + room));
    const ssize_t got = ::read(file, content.data() + before, content.size() - before);
    content.resize(before + static_cast<std::size_t>(std::max<ssize_t>(got, 0)));
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) {
      ::close(file);
      return std::nullopt;
    }
    if (got == 0) break;
    room *= 2;
  }
  ::close(file);
  const std::string_view trimmed = trim(content);
  if (trimmed.size() == content.size()) return content;
  return std::string(trimmed);
}

std::optional<long long> SystemFiles::number(std::string_view path) const {
  const auto content = text(path, 256);
  return content ? parse_number(*content) : std::nullopt;
}

bool SystemFiles::exists(std::string_view path) const {
  std::error_code error;
  return fs::exists(root_ + std::string(path), error);
}

std::vector<std::string> SystemFiles::names(std::string_view folder) const {
  std::vector<std::string> result;
  std::error_code error;
  fs::directory_iterator entry(root_ + std::string(folder), error);
  for (; !error && entry != fs::directory_iterator(); entry.increment(error)) {
    result.push_back(entry->path().filename().string());
  }
  std::sort(result.begin(), result.end());
  return result;
}

std::vector<int> SystemFiles::numbered_names(std::string_view folder) const {
  // By hand, since /proc is listed at every sample of a run's conditions.
  std::vector<int> result;
  DIR* listing = ::opendir((root_ + std::string(folder)).c_str());
  if (listing == nullptr) return result;
  while (const dirent* entry = ::readdir(listing)) {
    const std::string_view name = entry->d_name;
    int number = 0;
    const auto [end, error] = std::from_chars(name.data(), name.data() + name.size(), number);
    if (error == std::errc() && end == name.data() + name.size() && number >= 0) {
      result.push_back(number);
    }
  }
  ::closedir(listing);
  return result;
}

std::optional<long long> parse_number(std::string_view text) {
  text = trim(text);
  long long value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (text.empty() || error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

std::optional<double> parse_decimal(std::string_view text) {
  text = trim(text);
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (text.empty() || error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  if (!std::isfinite(value) || value < 0) return std::nullopt;
  return value;
}

std::vector<int> parse_cpu_list(std::string_view text) {
  std::vector<int> cpus;
  for (const std::string& part : split(text, ',')) {
    const auto dash = part.find('-');
    const auto first = parse_number(std::string_view(part).substr(0, dash));
    const auto last =
        dash == std::string::npos ? first : parse_number(std::string_view(part).substr(dash + 1));
    if (!first || !last || *first < 0 || *last >= most_cpus) continue;
    for (long long cpu = *first; cpu <= *last; ++cpu) cpus.push_back(static_cast<int>(cpu));
    if (cpus.size() > most_cpus) break;
  }
  std::sort(cpus.begin(), cpus.end());
  cpus.erase(std::unique(cpus.begin(), cpus.end()), cpus.end());
  return cpus;
}

std::string cpu_list_text(std::vector<int> cpus) {
  std::sort(cpus.begin(), cpus.end());
  std::vector<std::string> parts;
  for (std::size_t first = 0; first < cpus.size();) {
    std::size_t last = first;
    while (last + 1 < cpus.size() && cpus[last + 1] <= cpus[last] + 1) ++last;
    parts.push_back(cpus[first] == cpus[last] ? fmt::format("{}", cpus[first])
                                              : fmt::format("{}-{}", cpus[first], cpus[last]));
    first = last + 1;
  }
  return join(parts, ",");
}

}  // namespace trainmark
