#pragma once

#include <optional>

#include "logs/generic/line_class.h"
#include "logs/generic/trial.h"

namespace trainmark {

/// Relative worth of the last digit beyond which a number is coarse.
inline constexpr double coarse_digit = 0.01;

/// What is known of a kind of lines before its numbers have a meaning: what counts, what tells the
/// time of day, and how far lines are apart.
class ClassFacts {
 public:
  explicit ClassFacts(const LineClass& kind);

  const LineClass& kind() const { return kind_; }

  /// How likely its counter is one of steps; 0 where it has none.
  double prior() const { return prior_; }

  /// Does it count samples, and not steps? `Train Epoch: 3 [640/60000 (1%)]`, of PyTorch's first
  /// example and its countless copies.
  bool counts_samples() const;

  /// Epoch and moment of a line; no rate and no time.
  const TrialColumns& columns() const { return columns_; }
  bool has_wall() const { return columns_.wall || columns_.by_arrival; }
  double wall_resolution() const { return wall_resolution_; }  // seconds
  double gap() const { return gap_; }                          // steps from line to line

  /// The rules for lines that have this column: those without it do not count.
  PaceRules rules_for(std::optional<std::size_t> column) const;
  double typical_of(std::size_t column) const;

 private:
  double counter_prior() const;
  bool counts_bytes() const;
  void find_epoch();
  /// `[3/300][340/390]`: it stands still while the counter rises.
  bool is_unnamed_epoch(std::size_t index) const;
  /// Goes forward with the lines, nearly always.
  bool rises(std::size_t column) const;
  void find_wall();
  void find_gaps();
  /// How many lines in a row have the same counter, while this column counts them; 1 where it does
  /// not.
  std::size_t parts_by(std::size_t column) const;
  void find_parts();
  /// Do the lines of a step repeat its time, rather than that of their part?
  bool repeats(std::size_t column) const;

  const LineClass& kind_;
  TrialColumns columns_;
  PaceRules base_;
  double prior_ = 0;
  double gap_ = 1;
  double wall_resolution_ = 0;
};

}  // namespace trainmark
