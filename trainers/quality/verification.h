#pragma once

#include <ATen/core/Tensor.h>

#include <vector>

#include "distributed/distributed.h"
#include "quality/quality.h"

namespace trainmark::train {

/// Two items, and whether they have the same label.
struct VerifiedPair {
  double similarity = 0;
  bool same = false;
};

/// Of ten consecutive folds, the mean of the shares of pairs that are told right: a pair is called
/// the same where its similarity is at least the threshold that tells most pairs of the other nine
/// folds right; of several such, the smallest. NaN where there are fewer than ten pairs.
double fold_accuracy(const std::vector<VerifiedPair>& pairs);

/// How well the angles between embeddings tell whether two items have the same label. Each item is
/// paired with the next one behind it, from the last to the first again, that has its label, and
/// then with the next one that has another.
class Verification {
 public:
  Verification(at::Device device, std::int64_t width);

  /// Embeddings [N, width], labels [N], in the order of the set.
  void add(const at::Tensor& embeddings, const at::Tensor& labels);

  /// Of all ranks, those of the first rank first.
  Quality result(World& world) const;

 private:
  at::Tensor empty_;  // an embedding of no item: device, type and width
  std::vector<at::Tensor> embeddings_;
  std::vector<at::Tensor> labels_;
};

}  // namespace trainmark::train
