#pragma once

#include <vector>

namespace trainmark {

/// Two trainings with dropout. Chance decides what each step drops, so that no two losses are the
/// same; but their mean and how far they scatter tell what is dropped, and the lengths of the
/// gradients what the rest is multiplied by.
struct DropoutDifference {
  double rate = 0;
  int steps = 0;
  double mean = 0;           // of the losses, relative to the reference's
  double mean_error = 0;     // standard error of that
  double scatter = 1;        // variance of the losses around their trend ÷ the reference's
  double scatter_error = 0;  // standard error of its logarithm
  double gradients = 1;      // length of the typical matrix' gradient ÷ the reference's

  /// How many standard errors the trainings lie apart, in mean or scatter.
  double errors() const;
};

/// Throws UserError where there is nothing to compare: fewer than ten losses, one that is not a
/// number, or a reference that drops nothing.
DropoutDifference compare_dropout(const std::vector<double>& reference,
                                  const std::vector<double>& losses, double rate);

}  // namespace trainmark
