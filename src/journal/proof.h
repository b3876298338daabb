#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/cell.h"

namespace trainmark {

/// Of tensors, relative to the length of the reference's.
struct Difference {
  double typical = 0;  // the median of all tensors
  double largest = 0;
  std::string where;  // the tensor that differs most
};

/// What losses do not show.
struct TensorDifferences {
  Difference gradients;  // of the first step
  Difference updates;    // how far all steps have moved the weights
  double growth = 0;     // how far along themselves: a decay pulls them straight towards zero
};

/// How far the reference strays from itself when it adds up in another order.
struct Rounding {
  Difference updates;
  double growth = 0;
};

/// What two programs of the same mathematics may differ by (docs/decisions.md tells the
/// measurements).
struct ProofLimits {
  double losses = 1e-3;
  double first_loss = 1e-5;
  double typical_gradient = 1e-2;
  double largest_gradient = 1e-1;
  double typical_update = 2e-2;
  double largest_update = 1e-1;
  double growth = 5e-2;
  double times_rounding = 3;  // of updates and growth, where that is more
};

/// That a framework trains the same mathematics as another, or does not: `trainmark verify`.
struct Proof {
  Cell cell;              // who was compared, at which size, on which device
  std::string reference;  // with whom: "libtorch:eager"
  std::map<std::string, std::string> versions;
  int steps = 0;
  double first_difference = 0;    // of the first losses, relative
  double largest_difference = 0;  // of all losses, relative
  double tolerance = 0;
  std::optional<TensorDifferences> tensors;  // proofs of older versions have none
  std::optional<Rounding> rounding;          // of the reference, nor this
  std::vector<std::string> differs;          // what differs by more than it may, the cause first
  std::string trouble;  // why there is nothing to compare; empty where there is
  std::string checked;  // UTC, ISO 8601

  bool same() const {
    return trouble.empty() && differs.empty() && largest_difference <= tolerance;
  }
};

/// Fills in the differences. A loss that has all but vanished is compared with a thousandth of the
/// first one: a share of nothing means nothing. Losses of unequal number, or not finite, are
/// trouble.
void compare_losses(Proof& proof, const std::vector<double>& reference,
                    const std::vector<double>& losses);

/// Fills in what `differs` by more than the limits, which are all looser or tighter as the proof's
/// tolerance is than that of the losses.
void judge(Proof& proof, const ProofLimits& limits = {});

/// Where proofs are kept, unless a user says otherwise: a journal of its own.
std::filesystem::path proofs_folder(const std::filesystem::path& home);
/// The newest of each cell that are kept there; none where there are none.
std::vector<Proof> known_proofs(const std::filesystem::path& home);

/// The newest of each cell, in the order of first appearance.
std::vector<Proof> newest(const std::vector<Proof>& proofs);

}  // namespace trainmark
