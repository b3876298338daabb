#pragma once

#include <CLI/App.hpp>
#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>
#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>

#include "common/quality_options.h"
#include "protocol/description.h"

namespace trainmark::train {

/// How the ranks of a job share the work.
struct Parallel {
  bool group = false;                            // talk through a process group even with one rank
  std::int64_t bucket_bytes = 25 * 1024 * 1024;  // of gradients that are reduced at once
  std::int64_t timeout_seconds = 300;            // of a collective
  bool shard_classes = true;                     // each rank has its part of arcface's classes
  bool sync_norm = false;                        // batch norms over the whole job's batch
  double sample_rate = 1;                        // the share of arcface's classes in a step
};

/// Who decodes JPEGs, where the GPU can.
enum class DecodeOn { both, gpu, cpu };

/// Where batches come from.
struct DataOptions {
  std::string path;         // of a data set; empty: they are made up
  bool input_only = false;  // make them, and train nothing
  int workers = 0;          // threads that make them; 0: by the cores of this process
  DecodeOn decode_on = DecodeOn::both;
  bool skip_bad = true;  // items that cannot be read are left out; else they end the training
  // The first batch of this rank.
  std::int64_t epoch = 0;
  std::int64_t batch = 0;

  bool given() const { return !path.empty(); }
};

/// What a trainer is asked to do (docs/protocol.md). Empty and 0 mean: the default of the workload.
struct Options {
  bool describe = false;
  bool list = false;
  std::string workload;
  std::string size = "full";
  std::string mode;
  std::string precision = "fp32";
  std::string device = "cpu";
  std::int64_t batch = 0;
  std::int64_t accumulate = 1;
  Shapes shapes;  // instead of the size's own
  std::uint64_t seed = 1;
  std::int64_t steps = 100;
  std::optional<double> dropout;  // instead of the workload's own rate
  Parallel parallel;
  DataOptions data;
  QualityOptions quality;
};

/// Adds the arguments that every trainer has; a program adds its own to the same `app`.
void add_options(CLI::App& app, Options& options);

/// Parses the command line. Throws UserError where it is wrong. Returns false where all was said by
/// printing the help.
bool parse(CLI::App& app, int argc, const char* const* argv);

/// Checks the names against what the program can do and fills in the defaults. Throws UserError for
/// a name nobody knows, Unsupported for what cannot be trained here.
Options resolve(Options options, const Description& description);

/// The part of the `start` event that repeats the cell as it is really trained.
nlohmann::json start_fields(const Options& resolved, const Description& description);

}  // namespace trainmark::train
