#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace trainmark {

/// Nodes and processes per node, written `2n8g`.
struct Scale {
  int nodes = 1;
  int per_node = 1;

  int ranks() const { return nodes * per_node; }
  std::string text() const;
  static std::optional<Scale> parse(std::string_view text);

  friend auto operator<=>(const Scale&, const Scale&) = default;
};

/// `batch: max` in a suite.
inline constexpr int largest_batch = -1;

/// Of a program that was not written for Trainmark, as long as nobody has told; written `b?`.
inline constexpr int unknown_batch = 0;
/// Likewise its precision and its device.
inline constexpr const char* unknown_word = "unknown";

/// One point of the matrix: everything that decides what a trainer is asked to do.
struct Cell {
  std::string workload;
  std::string size;
  std::string framework;  // with its mode: "libtorch:eager"
  std::string precision;
  int batch = 0;  // per device; largest_batch until the largest that fits was found
  int accumulate = 1;
  std::string device;
  Scale scale;

  /// Unique and readable: "resnet50:small/libtorch:eager/fp32/b16/cpu/1n1g" (a8 is added after the
  /// batch where gradients are accumulated). Journals use it to tell cells apart.
  std::string key() const;

  std::string framework_name() const;  // "libtorch"
  std::string framework_mode() const;  // "eager"

  friend auto operator<=>(const Cell&, const Cell&) = default;
};

}  // namespace trainmark
