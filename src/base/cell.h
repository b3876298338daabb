#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

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
/// The same of a shape: `classes: max`.
inline constexpr double largest_shape = -1;

/// Gradients were accumulated, and nobody has told over how many batches; written `a?`.
inline constexpr int unknown_accumulate = 0;

/// What a size says of the data and a cell may say otherwise: the height of images, the length of
/// sequences, how many classes are told apart, and the share of them that is in a step.
using Shapes = std::map<std::string, double>;
const std::vector<std::string>& shape_names();
/// "512", "0.1" or "max".
std::string shape_text(double value);

/// What a cell measures of its input: `input` of a cell that makes batches and trains nothing.
inline constexpr const char* pipeline_only = "pipeline";

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
  bool at_most = false;    // a smaller batch will do, until it was found which one fits
  Shapes shapes = {};      // those that differ from the size's own
  std::string data = {};   // the name of the data set; empty: made up, and on the device already
  std::string input = {};  // pipeline_only, or empty: the cell trains

  /// Unique and readable: "resnet50:small/libtorch:eager/fp32/b16/cpu/1n1g" (a8 is added after the
  /// batch where gradients are accumulated, shapes and data after the size:
  /// "bert:full,sequence=512/…").
  /// Journals use it to tell cells apart.
  std::string key() const;

  /// The size with its shapes and its data: "full", "full,sequence=512", "full,data=imagenet".
  std::string size_text() const;
  /// The size with its shapes: what the mathematics of a training depends on.
  std::string model_text() const;

  /// The dimension whose largest value is to be found: "batch", the name of a shape, or nothing.
  std::string searched() const;

  std::string framework_name() const;  // "libtorch"
  std::string framework_mode() const;  // "eager"

  friend auto operator<=>(const Cell&, const Cell&) = default;
};

}  // namespace trainmark
