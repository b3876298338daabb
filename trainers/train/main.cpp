// trainmark-train: the C++ trainers on LibTorch. One process is one rank.

#include <fmt/format.h>

#include <charconv>
#include <cstdio>
#include <cstdlib>
#include <limits>
#include <nlohmann/json.hpp>

#include "base/error.h"
#include "base/option_checks.h"
#include "base/output.h"
#include "common/listing.h"
#include "common/options.h"
#include "common/program.h"
#include "distributed/world.h"
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

/// "3:17" of --data-position.
void read_position(const std::string& text, DataOptions& data) {
  const std::vector<std::string> parts = split(text, ':');
  const auto number = [](const std::string& part, std::int64_t& value) {
    const char* const end = part.data() + part.size();
    const auto [rest, error] = std::from_chars(part.data(), end, value);
    return error == std::errc() && rest == end && value >= 0;
  };
  if (parts.size() == 2 && number(parts[0], data.epoch) && number(parts[1], data.batch)) return;
  throw UserError(
      fmt::format("--data-position '{}': write EPOCH:BATCH, both from 0, as 0:100; the end of a "
                  "training on a data set tells the next one",
                  printable(text)));
}

void add_data_options(CLI::App& app, DataOptions& data) {
  constexpr std::int64_t most_workers = 1024;
  app.add_option(option::data, data.path, "Train on this data set instead of made-up data");
  app.add_flag(option::input_only, data.input_only,
               "Only make the batches of --data; train nothing");
  app.add_option("--workers", data.workers,
                 "Threads that make batches; else as many as this process has cores, on a GPU one "
                 "less")
      ->check(whole_from(1, most_workers));
  app.add_option_function<std::string>(
         "--decoder",
         [&data](const std::string& word) {
           if (word == "gpu") data.decode_on = DecodeOn::gpu;
           if (word == "cpu") data.decode_on = DecodeOn::cpu;
         },
         "Who decodes JPEGs: auto, which shares them between the GPU, where it can, and the "
         "workers; gpu; or cpu")
      ->check(one_of({"auto", "gpu", "cpu"}));
  app.add_option_function<std::string>(
         "--on-bad-item", [&data](const std::string& word) { data.skip_bad = word == "skip"; },
         "skip (and count) items that cannot be read, or refuse to go on")
      ->check(one_of({"skip", "refuse"}));
  app.add_option_function<std::string>(
      "--data-position", [&data](const std::string& text) { read_position(text, data); },
      "EPOCH:BATCH to begin with, as the end of an earlier training tells it");
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
  add_data_options(app, options.data);
  add_quality_options(app, options.quality);
  add_parallel_options(app, options.parallel);
  if (!parse(app, argc, argv)) return 0;
  // A training to quality ends with its epochs.
  if (options.quality.wanted && app.count(option::steps) == 0) {
    options.steps = std::numeric_limits<std::int64_t>::max();
  }
  if (app.count("--sample-rate") > 0) options.shapes["sample_rate"] = options.parallel.sample_rate;
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
  const auto& world = *new std::shared_ptr<World>(make_world());
  const int status = run_program(
      "trainmark-train", [&](EventWriter& events) { return main_body(argc, argv, world, events); });
  if (status != 0 && has_group(*world)) {
    // Its threads go on until the very end.
    std::fflush(nullptr);
    std::_Exit(status);
  }
  return status;
}
