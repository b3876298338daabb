#pragma once

#include <optional>
#include <string_view>
#include <unordered_map>

#include "journal/results.h"

namespace trainmark {

/// Ratios of cells that took turns, whoever was the first of them. Points into `contents`.
class TurnRatios {
 public:
  explicit TurnRatios(const JournalContents& contents);

  /// How fast `cell` is in units of `base`; nothing where the two did not take turns.
  std::optional<PairedRatio> ratio(const Cell& cell, const Cell& base) const;

 private:
  std::optional<std::size_t> member_of(const TurnsRecord& turns, const Cell& cell) const;

  const JournalContents& contents_;
  std::unordered_map<std::string_view, const Cell*> cells_;  // by the run's id
};

}  // namespace trainmark
