#pragma once

#include <cstddef>
#include <string_view>

#include "logs/grammar/record.h"

namespace trainmark {

enum class Phase : unsigned char { unknown, training, evaluation };

/// What a short line without figures begins: `Eval begin...`, `== eval ==`, `Epoch 2/20`.
Phase phase_of_heading(std::string_view line);

/// Tells the lines of evaluations from those of the training where both look the same and headings
/// stand between them.
class PhaseFollower {
 public:
  /// What is known of lines of one kind.
  struct Kind {
    Phase phase = Phase::training;
    std::size_t headings = 0;   // that there were when the last line came
    std::size_t trainings = 0;  // headings of trainings when the last evaluation began
    double counter = not_known;
    double total = not_known;
  };

  /// Any line, before the kinds that it belongs to are asked about.
  void look(std::string_view line);

  /// Is this line of the kind one of an evaluation? Only where its counter begins again below the
  /// heading, and where its total is another one or the training has a heading, too: after most
  /// headings of evaluations, the training goes on without one.
  bool is_evaluation(Kind& kind, double counter, double total) const;

 private:
  Phase phase_ = Phase::unknown;
  std::size_t headings_ = 0;
  std::size_t trainings_ = 0;
};

}  // namespace trainmark
