#pragma once

#include <string>

#include "journal/proof.h"

namespace trainmark {

/// What a trainer left behind for a proof: safetensors files.
struct ProofFiles {
  std::string gradients;  // of the first step
  std::string trained;    // the weights after the last step
};

/// Compares tensor by tensor what two trainers made of the same `weights`. A gradient shorter than
/// `rounding` of the longest one is taken for rounding. Whatever the files of `other` lack, or have
/// too much, is a UserError that says what.
TensorDifferences compare_tensors(const std::string& weights, const ProofFiles& reference,
                                  const ProofFiles& other, double rounding);

/// The median, over all matrices, of how long the one's gradient is ÷ the reference's. Both are
/// safetensors files. Throws UserError where there is no matrix in both.
double typical_length(const std::string& reference, const std::string& other);

}  // namespace trainmark
