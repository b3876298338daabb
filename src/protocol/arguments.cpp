#include "protocol/arguments.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/cell.h"

namespace trainmark {

std::string shape_option(const std::string& shape) {
  std::string name = "--" + shape;
  std::replace(name.begin(), name.end(), '_', '-');
  return name;
}

std::vector<std::string> to_words(const TrainerArguments& arguments) {
  const bool largest = arguments.batch == largest_batch;
  std::vector<std::string> words = {
      option::workload,   arguments.workload,
      option::size,       arguments.size,
      option::mode,       arguments.mode,
      option::precision,  arguments.precision,
      option::batch,      largest ? "max" : std::to_string(arguments.batch),
      option::accumulate, std::to_string(arguments.accumulate),
      option::device,     arguments.device,
      option::seed,       std::to_string(arguments.seed),
      option::steps,      std::to_string(arguments.steps)};
  for (const auto& [name, value] : arguments.shapes)
    words.insert(words.end(), {shape_option(name), shape_text(value)});
  if (!arguments.data.empty()) words.insert(words.end(), {option::data, arguments.data});
  if (arguments.input_only) words.emplace_back(option::input_only);
  if (arguments.quality) {
    const auto quality = to_words(*arguments.quality);
    words.insert(words.end(), quality.begin(), quality.end());
  }
  return words;
}

std::vector<std::string> to_words(const QualityArguments& arguments) {
  std::vector<std::string> words = {option::quality};
  const auto add = [&](const char* name, double value) {
    if (value > 0) words.insert(words.end(), {name, fmt::format("{}", value)});
  };
  add(option::epochs, arguments.epochs);
  add(option::evaluate_every, arguments.evaluate_every);
  if (!arguments.checkpoint.empty())
    words.insert(words.end(), {option::checkpoint, arguments.checkpoint});
  add(option::checkpoint_every, arguments.checkpoint_every);
  return words;
}

std::vector<std::string> to_words(const ProofArguments& arguments) {
  std::vector<std::string> words = {option::dropout, fmt::format("{}", arguments.dropout)};
  const auto add = [&](const char* name, const std::string& path) {
    if (!path.empty()) words.insert(words.end(), {name, path});
  };
  add(option::load_weights, arguments.load_weights);
  add(option::save_weights, arguments.save_weights);
  add(option::save_gradients, arguments.save_gradients);
  add(option::save_trained, arguments.save_trained);
  return words;
}

}  // namespace trainmark
