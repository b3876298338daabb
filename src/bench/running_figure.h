#pragma once

#include <memory>
#include <vector>

#include "base/step.h"
#include "bench/step_source.h"
#include "measure/rule.h"
#include "measure/run_summary.h"

namespace trainmark {

/// What the steps of a run say so far, and whether the rule needs more of them.
class RunningFigure {
 public:
  explicit RunningFigure(std::unique_ptr<StoppingRule> rule) : rule_(std::move(rule)) {}

  /// Cheap unless there is a new evaluation, or 2 % more steps than when the rule was asked last.
  void look(const StepSource& source);

  /// The next look asks the rule, be there more steps or not.
  void look_again() { next_check_ = 0; }

  /// Takes all steps of a run that has ended. One that did all the steps it was given ended before
  /// the rule could say so.
  void finish(const StepSource& source);

  const StoppingRule& rule() const { return *rule_; }
  const Decision& decision() const { return decision_; }
  const std::vector<Step>& steps() const { return steps_; }

  /// In seconds, of the last ones: the first may have compiled and tuned for minutes. Between two
  /// steps, a model may be evaluated or saved; that is waited for, too.
  double longest_step() const;

  /// Of a training to quality, what was before a resume included.
  const std::vector<Evaluation>& curve() const { return curve_; }

  double rate() const { return so_far_.value; }  // 0 while warming up
  double half_width() const;                     // of its interval, relative

 private:
  void take(const StepSource& source);

  std::unique_ptr<StoppingRule> rule_;
  std::vector<Step> steps_;
  std::vector<Evaluation> curve_;
  double longest_checkpoint_ = 0;  // seconds
  std::size_t next_check_ = 1;
  Decision decision_;
  Throughput so_far_;
};

}  // namespace trainmark
