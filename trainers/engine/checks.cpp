#include "engine/checks.h"

#include <fmt/format.h>

#include "base/error.h"
#include "base/text.h"
#include "workload/contract.h"

namespace trainmark::train {
namespace {

void check_parallel(const Options& options, const RankPosition& place) {
  const Parallel& parallel = options.parallel;
  if (parallel.sample_rate == 1) return;
  if (!find_contract(options.workload).can("sampled-classes")) {
    throw UserError(
        fmt::format("--sample-rate is not for {}, which has no classes to sample; "
                    "leave it out",
                    options.workload));
  }
  if (!place.alone() && !parallel.shard_classes) {
    throw UserError("--sample-rate draws from a rank's own classes; leave out --whole-classes");
  }
}

void check_data(const Options& options, const Files& files) {
  if (!options.data.given()) {
    if (options.data.input_only)
      throw UserError("--input-only needs a data set: write --data PATH");
    return;
  }
  if (!options.data.input_only) return;
  for (const std::string* file : {&files.load_weights, &files.save_weights, &files.save_gradients,
                                  &files.save_trained, &files.profile, &files.save_losses}) {
    if (file->empty()) continue;
    throw UserError(fmt::format(
        "--input-only trains nothing, and has no weights, losses or profile; leave out '{}'",
        printable(*file)));
  }
}

}  // namespace

void check_options(const Options& options, const Files& files, const RankPosition& place) {
  check_parallel(options, place);
  check_data(options, files);
  check_quality(options);
}

}  // namespace trainmark::train
