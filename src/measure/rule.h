#pragma once

#include <functional>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "base/quality_task.h"
#include "base/registry.h"
#include "base/step.h"
#include "measure/window.h"

namespace trainmark {

/// Should the run go on?
struct Decision {
  bool stop = false;
  /// Why it stopped: "interval" (narrow enough), "plateau" (no longer shrinking), "cap", "fixed";
  /// of a training to quality "target", "cap", "no-progress" or "nan-loss".
  std::string why;
  bool converged = false;  // the rule got what it was asked for
};

/// Says when a run has enough steps, and which of them count. Sees the steps as they come; does no
/// I/O and reads no clock, so that it is tested with made-up steps.
class StoppingRule {
 public:
  virtual ~StoppingRule() = default;

  /// What a training to quality aims at, and all its evaluations so far; called before `decide`.
  virtual void note(const QualityTask& /*task*/, std::span<const Evaluation> /*curve*/) {}

  /// Called with all steps so far, whenever there are noticeably more of them, or an evaluation.
  virtual Decision decide(std::span<const Step> steps) = 0;

  /// The steps that count, of a run that has ended.
  virtual Window window(std::span<const Step> steps) const = 0;

  /// The most steps this rule will ever use: the trainer is told, and stops there by itself.
  virtual std::size_t most_steps() const = 0;
};

struct RuleParameter {
  std::string name;
  double value;  // the default
  double least, most;
  std::string meaning;  // with its unit
};

using RuleValues = std::map<std::string, double, std::less<>>;

/// What a rule registers: `const Registration<RuleKind> registered("adaptive", {...})`.
struct RuleKind {
  std::string summary;
  int rounds;  // runs of a cell, where the suite does not say
  std::vector<RuleParameter> parameters;
  /// `values` holds every parameter, defaults filled in.
  std::function<std::unique_ptr<StoppingRule>(const RuleValues& values)> make;
  /// Cells that are compared with each other are measured together (turns.h).
  bool takes_turns = false;
  /// Trainers train by their recipe on a data set, and evaluate (quality_rule.h).
  bool trains_to_quality = false;
};

/// Fills in defaults. Throws std::invalid_argument for an unknown name or a value out of range.
RuleValues complete(const RuleKind& kind, const RuleValues& given);

}  // namespace trainmark
