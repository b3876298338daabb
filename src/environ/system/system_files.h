#pragma once

#include <cstddef>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace trainmark {

/// The files by which a machine describes itself (/proc, /sys, /etc), below a root so that tests
/// can bring a machine of their own. No machine has all of them: what is missing, unreadable or odd
/// is nothing, never an error.
class SystemFiles {
 public:
  explicit SystemFiles(const std::filesystem::path& root = "/");

  /// The content without white space around it. Longer files are cut at `limit` bytes.
  std::optional<std::string> text(std::string_view path, std::size_t limit = 1 << 20) const;
  std::optional<long long> number(std::string_view path) const;
  bool exists(std::string_view path) const;
  /// The names in a folder, sorted.
  std::vector<std::string> names(std::string_view folder) const;
  /// The names in a folder that are numbers, in no order.
  std::vector<int> numbered_names(std::string_view folder) const;
  /// True where this is the machine we run on, and not a test's.
  bool is_this_machine() const { return root_.empty(); }

 private:
  std::string root_;  // "" for "/", so that root and path can simply be put together
};

/// The whole text as a number; nothing where anything else is in it.
std::optional<long long> parse_number(std::string_view text);

/// A positive decimal fraction as in "cpu MHz : 2793.436".
std::optional<double> parse_decimal(std::string_view text);

/// "0-3,8" as {0, 1, 2, 3, 8}; parts that make no sense are left out.
std::vector<int> parse_cpu_list(std::string_view text);

/// {0, 1, 2, 3, 8} as "0-3,8".
std::string cpu_list_text(std::vector<int> cpus);

}  // namespace trainmark
