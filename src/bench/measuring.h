#pragma once

#include <memory>
#include <optional>
#include <string>

#include "launch/launcher.h"
#include "measure/rule.h"
#include "protocol/arguments.h"
#include "suite/suite.h"

namespace trainmark {

/// How a suite is measured, with every name checked: the part of a suite that needs to know the
/// rules and launchers there are.
struct Measuring {
  std::string rule;
  const RuleKind* kind = nullptr;
  RuleValues values;
  int rounds = 0;
  std::string launcher_name;
  std::shared_ptr<const Launcher> launcher;
  double time_limit = 0;  // seconds per run
  std::uint64_t seed = 0;

  /// "adaptive interval=0.005 min_steps=30 …": kept with each result.
  std::string rule_text() const;

  /// What trainers are asked for beyond their cell, where the rule trains to a quality.
  std::optional<QualityArguments> quality() const;
};

/// The same, but so many steps, the first of them dropped, and no more: for runs that are not kept
/// as results.
Measuring with_fixed_steps(Measuring measuring, int steps, int skip);

/// The same for a cell that has nobody to take turns with: it runs alone for as long, and to the
/// same interval.
Measuring alone(Measuring measuring);

/// Throws UserError with file:line for an unknown rule, parameter or launcher.
Measuring settle_measuring(const Suite& suite);

}  // namespace trainmark
