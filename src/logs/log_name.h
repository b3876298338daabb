#pragma once

#include <filesystem>
#include <optional>
#include <set>
#include <string>

namespace trainmark {

/// What the name of a log says of it.
struct LogName {
  /// The path without its endings and without the mark of a run: logs that have this in common, and
  /// a mark each, are runs of the same cell.
  std::string series;
  /// The series without what names the size of the job: `a100_fp32_gpu8` and `a100_fp32_gpu1` are
  /// two sizes of one thing. The folder alone where the name tells no size.
  std::string family;
  bool is_run = false;      // the name has such a mark: `_1`, `rank0`, `r11`, `.run3`
  std::optional<int> gpus;  // `gpu8`, `8gpus`, `4n8g`
  std::string precision;    // "fp32", "amp", …; empty where the name does not tell
  std::string machine;      // "a100", "cpu", …; likewise
};

LogName read_log_name(const std::filesystem::path& path);

/// As much of a path, from its end, as no other path of `all` ends in: "pytorch/train" where there
/// is a "jax/train", too.
std::string shortest_name(const std::string& path, const std::set<std::string>& all);

/// The name of a file without `.log`, `.txt`, … and without `.gz`, `.zst`, `.xz`.
std::string log_stem(const std::filesystem::path& path);

}  // namespace trainmark
