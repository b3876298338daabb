#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/cell.h"
#include "journal/dropout.h"

namespace trainmark {

/// Of tensors, relative to the length of the reference's.
struct Difference {
  double typical = 0;  // the median of all tensors
  double largest = 0;
  std::string where;  // the tensor that differs most
};

/// Of all tensors along the reference's: 0.2 is a fifth longer. Rounding to few bits turns a
/// gradient by tens of percent and leaves its length; a wrong loss scale or learning rate does not.
struct Lengths {
  double gradients = 0;
  double updates = 0;
};

/// What losses do not show.
struct TensorDifferences {
  Difference gradients;  // of the first step
  Difference updates;    // how far all steps have moved the weights
  double growth = 0;     // how far along themselves: a decay pulls them straight towards zero
  std::optional<Lengths> lengths = {};  // proofs of older versions have none
};

/// How far the reference strays from itself: when it adds up in another order, or, in precisions
/// that round to few bits, from its own training in fp32.
struct Rounding {
  Difference updates;
  double growth = 0;
  // In precisions of few bits alone: in the others, these differ by next to nothing.
  std::optional<double> first_loss = {};
  std::optional<double> losses = {};
  std::optional<Difference> gradients = {};
  std::optional<Lengths> lengths = {};
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
  double length = 5e-2;         // more or less than the reference's own
  double times_rounding = 3;    // of the reference, where that is more than the limits above
  double dropout_errors = 5;    // standard errors of what chance decides
  double dropout_length = 1.5;  // of gradients, a factor either way
};

/// In a precision of few bits, whose largest rounding error is `unit`, beside the rounding of the
/// reference: a loss is one number, which rounding may leave alone by chance.
ProofLimits few_bit_limits(double unit);
/// For the reference itself in such a precision. What it does to the directions of its gradients is
/// what the others are given room by.
ProofLimits reference_limits(double unit);

/// That a framework trains the same mathematics as another, or does not: `trainmark verify`.
struct Proof {
  Cell cell;                                    // who was compared, at which size, on which device
  std::string reference;                        // with whom: "libtorch:eager"
  std::string reference_precision;              // where it is not the cell's own
  std::map<std::string, std::string> versions;  // of who was compared
  std::map<std::string, std::string> reference_versions;  // proofs of older versions have none
  int steps = 0;
  double first_difference = 0;    // of the first losses, relative
  double largest_difference = 0;  // of all losses, relative
  double tolerance = 0;
  std::optional<TensorDifferences> tensors;       // proofs of older versions have none
  std::optional<Rounding> rounding;               // of the reference, nor this
  std::optional<DropoutDifference> dropout = {};  // where the workload drops something
  std::vector<std::string> differs;  // what differs by more than it may, the cause first
  std::string trouble;               // why there is nothing to compare; empty where there is
  std::string checked;               // UTC, ISO 8601

  /// Proofs of older versions have nothing but losses, and nobody judged them.
  bool same() const {
    return trouble.empty() && differs.empty() && (tensors || largest_difference <= tolerance);
  }
};

/// Fills in the differences. A loss that has all but vanished is compared with a thousandth of the
/// first one: a share of nothing means nothing. Losses of unequal number, or not finite, are
/// trouble.
void compare_losses(Proof& proof, const std::vector<double>& reference,
                    const std::vector<double>& losses);

/// How many steps at the beginning changed nothing, though the reference's did: with a loss scale,
/// a step whose gradients overflow is left out.
int steps_left_out(const std::vector<double>& reference, const std::vector<double>& losses);

/// Fills in what `differs` by more than the limits, which are all looser or tighter as the proof's
/// tolerance is than the usual one of losses.
void judge(Proof& proof, const ProofLimits& limits = {});

/// Where proofs are kept, unless a user says otherwise: a journal of its own.
std::filesystem::path proofs_folder(const std::filesystem::path& home);
/// The newest of each cell and versions that are kept there; none where there are none.
std::vector<Proof> known_proofs(const std::filesystem::path& home);

/// The newest of each cell and versions, in the order of the last of each: a proof of other
/// versions says nothing of figures that were measured with these.
std::vector<Proof> newest(const std::vector<Proof>& proofs);

}  // namespace trainmark
