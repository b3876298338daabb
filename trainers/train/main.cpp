// trainmark-train: the C++ trainers on LibTorch. One process is one rank.

#include <fmt/format.h>

#include <cstdlib>
#include <nlohmann/json.hpp>
#include <string_view>

#include "common/failure.h"
#include "common/options.h"
#include "common/program.h"
#include "engine/describe.h"
#include "engine/loop.h"

namespace trainmark::train {
namespace {

/// A rank that trained for itself would measure something else than was asked for.
void refuse_other_ranks() {
  const char* ranks = std::getenv("WORLD_SIZE");
  if (ranks != nullptr && std::string_view(ranks) != "1") {
    throw Unsupported(fmt::format("WORLD_SIZE is {}: this program trains on one rank", ranks));
  }
}

int main_body(int argc, const char* const* argv, EventWriter& events) {
  Options options;
  Files files;
  CLI::App app("Trains a workload on LibTorch and tells the time of every step.",
               "trainmark-train");
  add_options(app, options);
  app.add_option("--load-weights", files.load_weights, "Begin with a safetensors file's weights");
  app.add_option("--save-weights", files.save_weights,
                 "Write the weights before the first step to a safetensors file");
  app.add_option("--save-gradients", files.save_gradients,
                 "Write the gradients of the first step to a safetensors file");
  app.add_option("--save-trained", files.save_trained,
                 "Write the weights after the last step to a safetensors file");
  app.add_option("--profile", files.profile,
                 "When all is done, write a trace of three more steps (for Perfetto)");
  app.add_option("--save-losses", files.save_losses,
                 "Write the loss of every step to a file, as a JSON array");
  if (!parse(app, argc, argv)) return 0;
  const Description description = describe();
  if (options.describe) {
    fmt::print("{}\n", to_json(description).dump(2));
    return 0;
  }
  if (options.list) {
    fmt::print("{}", to_text(description));
    return 0;
  }
  options = resolve(std::move(options), description);
  refuse_other_ranks();
  train(options, description, files, events);
  return 0;
}

}  // namespace
}  // namespace trainmark::train

int main(int argc, char** argv) {
  return trainmark::train::run_program("trainmark-train",
                                       [&](trainmark::train::EventWriter& events) {
                                         return trainmark::train::main_body(argc, argv, events);
                                       });
}
