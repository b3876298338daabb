#pragma once

#include <filesystem>
#include <map>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "base/cell.h"

namespace trainmark {

/// That a framework trains the same mathematics as another, or does not: `trainmark verify`.
struct Proof {
  Cell cell;              // who was compared, at which size, on which device
  std::string reference;  // with whom: "libtorch:eager"
  std::map<std::string, std::string> versions;
  int steps = 0;
  double first_difference = 0;    // of the first losses, relative
  double largest_difference = 0;  // of all losses, relative
  double tolerance = 0;
  std::string trouble;  // why there is nothing to compare; empty where there is
  std::string checked;  // UTC, ISO 8601

  bool same() const { return trouble.empty() && largest_difference <= tolerance; }
};

/// Fills in the differences. A loss that has all but vanished is compared with a thousandth of the
/// first one: a share of nothing means nothing. Losses of unequal number, or not finite, are
/// trouble.
void compare_losses(Proof& proof, const std::vector<double>& reference,
                    const std::vector<double>& losses);

nlohmann::json to_record(const Proof& proof);

/// Where proofs are kept, unless a user says otherwise: a journal of its own.
std::filesystem::path proofs_folder(const std::filesystem::path& home);
/// The newest of each cell that are kept there; none where there are none.
std::vector<Proof> known_proofs(const std::filesystem::path& home);

/// The newest of each cell, in the order of first appearance.
std::vector<Proof> newest(const std::vector<Proof>& proofs);

}  // namespace trainmark
