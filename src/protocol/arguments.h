#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/cell.h"

namespace trainmark {

/// The options of a trainer that the bench gives (docs/protocol.md).
namespace option {
inline constexpr const char* describe = "--describe";
inline constexpr const char* workload = "--workload";
inline constexpr const char* size = "--size";
inline constexpr const char* mode = "--mode";
inline constexpr const char* precision = "--precision";
inline constexpr const char* batch = "--batch";
inline constexpr const char* accumulate = "--accumulate";
inline constexpr const char* device = "--device";
inline constexpr const char* seed = "--seed";
inline constexpr const char* steps = "--steps";
inline constexpr const char* data = "--data";
inline constexpr const char* input_only = "--input-only";
inline constexpr const char* quality = "--quality";
inline constexpr const char* evaluation_data = "--evaluation-data";
inline constexpr const char* epochs = "--epochs";
inline constexpr const char* evaluate_every = "--evaluate-every";
inline constexpr const char* checkpoint = "--checkpoint";
inline constexpr const char* checkpoint_every = "--checkpoint-every";
inline constexpr const char* dropout = "--dropout";
inline constexpr const char* load_weights = "--load-weights";
inline constexpr const char* save_weights = "--save-weights";
inline constexpr const char* save_gradients = "--save-gradients";
inline constexpr const char* save_trained = "--save-trained";
}  // namespace option

/// A training to quality: by the workload's recipe, with evaluations. What is 0 or empty is left
/// out.
struct QualityArguments {
  double epochs = 0;            // instead of the recipe's
  double evaluate_every = 0;    // epochs, instead of the recipe's
  std::string checkpoint = {};  // the folder of checkpoints, and of one to go on from
  double checkpoint_every = 0;  // epochs; else with every evaluation
};

/// What a trainer is asked to do.
struct TrainerArguments {
  std::string workload;
  std::string size;
  std::string mode;
  std::string precision;
  int batch = 0;  // per device; `largest_batch` is written as max, in plans that are only shown
  int accumulate = 1;
  std::string device;
  std::uint64_t seed = 1;
  std::uint64_t steps = 0;  // the most to do
  Shapes shapes = {};       // those that differ from the size's own
  std::string data = {};    // the path of a data set; empty: made-up data
  bool input_only = false;  // its batches are made, and nothing is trained
  std::optional<QualityArguments> quality = {};
};

/// What `trainmark verify` asks for beyond that: the same weights, no chance, and files to compare.
/// A path that is empty is left out.
struct ProofArguments {
  double dropout = 0;
  std::string load_weights = {};    // to begin with
  std::string save_weights = {};    // before the first step
  std::string save_gradients = {};  // of the first step
  std::string save_trained = {};    // the weights after the last step
};

/// "--sample-rate" for sample_rate.
std::string shape_option(const std::string& shape);

/// As they stand on the command line, behind the program.
std::vector<std::string> to_words(const TrainerArguments& arguments);
std::vector<std::string> to_words(const QualityArguments& arguments);
std::vector<std::string> to_words(const ProofArguments& arguments);

}  // namespace trainmark
