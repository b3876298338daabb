#pragma once

#include <string>

#include "journal/proof.h"

namespace trainmark {

/// What a trainer left behind for a proof: safetensors files.
struct ProofFiles {
  std::string gradients;  // of the first step
  std::string trained;    // the weights after the last step
};

/// Compares tensor by tensor what two trainers made of the same `weights`. Whatever the files of
/// `other` lack, or have too much, is a UserError that says what.
TensorDifferences compare_tensors(const std::string& weights, const ProofFiles& reference,
                                  const ProofFiles& other);

}  // namespace trainmark
