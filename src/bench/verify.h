#pragma once

#include <filesystem>
#include <functional>
#include <set>
#include <string>
#include <vector>

#include "bench/progress.h"
#include "journal/proof.h"
#include "suite/catalog.h"

namespace trainmark {

struct VerifyOptions {
  std::filesystem::path folder;         // of the journal of proofs
  std::vector<std::string> workloads;   // empty: all of the reference's
  std::vector<std::string> frameworks;  // with or without a mode; empty: all that can be used here
  std::vector<std::string> sizes = {"tiny"};
  Shapes shapes = {};  // other than those of the sizes
  std::string device = "cpu";
  std::vector<std::string> precisions = {"fp32"};
  std::string reference = "libtorch:eager";
  int steps = 20;
  int dropout_steps = 12;  // with dropout, where a workload has it; 0: it is not compared
  double tolerance = 1e-3;
  double time_limit = 900;  // seconds a training
  std::uint64_t seed = 1;
};

/// The reference and those compared with it, without their modes. Empty: all.
std::set<std::string> named_frameworks(const VerifyOptions& options);

/// The cells that would be compared with the reference's; it is among them in precisions of few
/// bits, before the others. Throws UserError for unknown names, and where nothing is left.
std::vector<Cell> cells_to_verify(const VerifyOptions& options, const Catalog& catalog);

/// Trains every cell for a few steps from the reference's weights, on the same data and without
/// dropout, and compares losses, gradients and what became of the weights; where the workload drops
/// something, then with dropout, and compares what chance leaves alone. In a precision
/// of few bits, all are compared with the reference in fp32, the reference in that precision first:
/// how far it strays is the measure for the others. Each proof is in the journal before the next
/// training begins. Others may verify other workloads into the same folder meanwhile.
std::vector<Proof> verify(const VerifyOptions& options, const Catalog& catalog, Progress& progress,
                          const std::function<bool()>& interrupted);

}  // namespace trainmark
