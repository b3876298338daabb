// trainmark-train: the C++ trainers on LibTorch. One process is one rank.

#include <fmt/format.h>

#include <cstdio>
#include <cstdlib>
#include <nlohmann/json.hpp>

#include "base/option_checks.h"
#include "base/output.h"
#include "common/listing.h"
#include "common/options.h"
#include "common/program.h"
#include "distributed/distributed.h"
#include "engine/describe.h"
#include "engine/loop.h"
#include "protocol/arguments.h"

namespace trainmark::train {
namespace {

void add_parallel_options(CLI::App& app, Parallel& parallel) {
  constexpr std::int64_t most_bytes = std::int64_t{1} << 40;
  app.add_flag("--group", parallel.group, "Use a process group even with one rank");
  app.add_option("--bucket-bytes", parallel.bucket_bytes, "Gradients that are reduced together")
      ->capture_default_str()
      ->check(whole_from(1, most_bytes));
  app.add_option("--timeout", parallel.timeout_seconds, "Seconds after which a collective fails")
      ->capture_default_str()
      ->check(whole_from(1, 86400));
  app.add_flag("--sync-norm", parallel.sync_norm,
               "Normalise over the batch of all ranks, not of each");
  app.add_flag("!--whole-classes", parallel.shard_classes,
               "arcface: every rank holds all classes, not a part of them");
  app.add_option("--sample-rate", parallel.sample_rate,
                 "arcface: fraction of the classes used in a step (Partial FC)")
      ->capture_default_str()
      ->check(number_from(1e-6, 1));
}

int main_body(int argc, const char* const* argv, const std::shared_ptr<World>& world,
              EventWriter& events) {
  Options options;
  Files files;
  CLI::App app("Trains a workload on LibTorch and reports the time of every step.",
               "trainmark-train");
  add_options(app, options);
  app.add_option(option::load_weights, files.load_weights,
                 "Start with the weights of a safetensors file");
  app.add_option(option::save_weights, files.save_weights,
                 "Write the weights before the first step to a safetensors file");
  app.add_option(option::save_gradients, files.save_gradients,
                 "Write the gradients of the first step to a safetensors file");
  app.add_option(option::save_trained, files.save_trained,
                 "Write the weights after the last step to a safetensors file");
  app.add_option("--profile", files.profile,
                 "At the end, write a trace of three more steps (for Perfetto) and, in "
                 "FILE.md, their time by kind of work");
  app.add_option("--save-losses", files.save_losses,
                 "Write the loss of every step to a file, as a JSON array");
  add_parallel_options(app, options.parallel);
  if (!parse(app, argc, argv)) return 0;
  if (app.count("--sample-rate") > 0)
    options.shapes["sample_rate"] = options.parallel.sample_rate;
  const Description description = describe();
  if (options.describe) {
    print_out("{}\n", to_json(description).dump(2));
    return 0;
  }
  if (options.list) {
    print_out("{}", to_text(description));
    return 0;
  }
  options = resolve(std::move(options), description);
  train(options, description, files, world, events);
  return 0;
}

}  // namespace
}  // namespace trainmark::train

int main(int argc, char** argv) {
  using namespace trainmark::train;
  // Never destroyed: a group that lost a rank cannot be closed in good order.
  const auto& world = *new std::shared_ptr<World>(std::make_shared<World>());
  const int status = run_program(
      "trainmark-train", [&](EventWriter& events) { return main_body(argc, argv, world, events); });
  if (status != 0 && world->has_group()) {
    // Its threads go on until the very end.
    std::fflush(nullptr);
    std::_Exit(status);
  }
  return status;
}
