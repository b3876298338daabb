#include "quality/verification.h"

#include <ATen/ops/cat.h>
#include <ATen/ops/zeros.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <numeric>

namespace trainmark::train {
namespace {

constexpr std::size_t folds = 10;

/// Which of the pairs lie in the fold that a threshold is tried on.
struct Fold {
  std::size_t begin = 0;
  std::size_t end = 0;

  bool has(std::size_t pair) const { return pair >= begin && pair < end; }
};

/// Tells most of the pairs outside of the fold right. `order`: the pairs by their similarities.
double best_threshold(const std::vector<VerifiedPair>& pairs, const std::vector<std::size_t>& order,
                      const Fold& fold) {
  std::int64_t right = 0;  // with the threshold before the first: all are called the same
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    if (!fold.has(i) && pairs[i].same) ++right;
  }
  double best = std::numeric_limits<double>::infinity();
  std::int64_t most = -1;
  std::size_t at = 0;
  while (at < order.size()) {
    const double threshold = pairs[order[at]].similarity;
    bool candidate = false;
    std::int64_t change = 0;  // where these pairs are no longer called the same
    for (; at < order.size() && pairs[order[at]].similarity == threshold; ++at) {
      if (fold.has(order[at])) continue;
      candidate = true;
      change += pairs[order[at]].same ? -1 : 1;
    }
    if (candidate && right > most) {
      most = right;
      best = threshold;
    }
    right += change;
  }
  return right > most ? std::numeric_limits<double>::infinity() : best;
}

/// Rows of all ranks, which may have different numbers of them.
at::Tensor gather_all(const at::Tensor& rows, World& world) {
  if (!world.has_group()) return rows;
  const at::Tensor counts = at::zeros({world.size()}, rows.options().dtype(at::kLong));
  counts.select(0, world.rank()).fill_(rows.size(0));
  world.sum(counts);
  const at::Tensor known = counts.cpu();
  const std::int64_t most = known.max().item<std::int64_t>();
  std::vector<std::int64_t> shape = rows.sizes().vec();
  shape[0] = most;
  const at::Tensor padded = at::zeros(shape, rows.options());
  padded.narrow(0, 0, rows.size(0)).copy_(rows);
  const at::Tensor all = world.gather_rows(padded);
  std::vector<at::Tensor> parts;
  for (std::int64_t rank = 0; rank < world.size(); ++rank) {
    parts.push_back(all.narrow(0, rank * most, known[rank].item<std::int64_t>()));
  }
  return at::cat(parts);
}

/// For each item, the next one behind it with its label; -1 where it is the only one.
std::vector<std::int64_t> next_of_same_label(const std::vector<std::int64_t>& labels) {
  const auto count = static_cast<std::int64_t>(labels.size());
  std::vector<std::int64_t> next(labels.size(), -1);
  std::map<std::int64_t, std::int64_t> seen;
  // Twice from behind: the second time, those that are met around the end are known.
  for (std::int64_t i = 2 * count - 1; i >= 0; --i) {
    const std::int64_t item = i % count;
    const auto place = static_cast<std::size_t>(item);
    const auto found = seen.find(labels[place]);
    if (i < count && found != seen.end() && found->second != item) next[place] = found->second;
    seen[labels[place]] = item;
  }
  return next;
}

/// Likewise with another label.
std::vector<std::int64_t> next_of_other_label(const std::vector<std::int64_t>& labels) {
  const auto count = static_cast<std::int64_t>(labels.size());
  std::vector<std::int64_t> next(labels.size(), -1);
  std::int64_t other = -1;  // the first item behind the run of labels that `i` is in
  for (std::int64_t i = 2 * count - 2; i >= 0; --i) {
    const std::int64_t behind = (i + 1) % count;
    const auto place = static_cast<std::size_t>(i % count);
    if (labels[static_cast<std::size_t>(behind)] != labels[place]) other = behind;
    if (i < count) next[place] = other;
  }
  return next;
}

std::vector<VerifiedPair> pair_up(const at::Tensor& directions,
                                  const std::vector<std::int64_t>& labels) {
  const auto* const numbers = directions.const_data_ptr<double>();
  const std::int64_t width = directions.size(1);
  const auto similarity = [&](std::int64_t one, std::int64_t other) {
    const double* const begin = numbers + one * width;
    return std::inner_product(begin, begin + width, numbers + other * width, 0.0);
  };
  const std::vector<std::int64_t> same = next_of_same_label(labels);
  const std::vector<std::int64_t> others = next_of_other_label(labels);
  std::vector<VerifiedPair> pairs;
  for (std::size_t i = 0; i < labels.size(); ++i) {
    const auto item = static_cast<std::int64_t>(i);
    if (same[i] >= 0) pairs.push_back({similarity(item, same[i]), true});
    if (others[i] >= 0) pairs.push_back({similarity(item, others[i]), false});
  }
  return pairs;
}

}  // namespace

double fold_accuracy(const std::vector<VerifiedPair>& pairs) {
  if (pairs.size() < folds) return std::numeric_limits<double>::quiet_NaN();
  std::vector<std::size_t> order(pairs.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::sort(order.begin(), order.end(), [&](std::size_t one, std::size_t other) {
    return pairs[one].similarity < pairs[other].similarity;
  });
  double sum = 0;
  for (std::size_t k = 0; k < folds; ++k) {
    const Fold fold{.begin = k * pairs.size() / folds, .end = (k + 1) * pairs.size() / folds};
    const double threshold = best_threshold(pairs, order, fold);
    std::size_t right = 0;
    for (std::size_t i = fold.begin; i < fold.end; ++i) {
      if ((pairs[i].similarity >= threshold) == pairs[i].same) ++right;
    }
    sum += static_cast<double>(right) / static_cast<double>(fold.end - fold.begin);
  }
  return sum / static_cast<double>(folds);
}

Verification::Verification(at::Device device, std::int64_t width)
    : empty_(at::zeros({0, width}, at::TensorOptions(device))) {}

void Verification::add(const at::Tensor& embeddings, const at::Tensor& labels) {
  embeddings_.push_back(embeddings.to(at::kFloat));
  labels_.push_back(labels.clone());  // the next batch takes its place
}

Quality Verification::result(World& world) const {
  at::Tensor own = empty_;
  at::Tensor own_labels = at::zeros({0}, empty_.options().dtype(at::kLong));
  if (!embeddings_.empty()) {
    own = at::cat(embeddings_);
    own_labels = at::cat(labels_);
  }
  const at::Tensor embeddings = gather_all(own, world).to(at::kCPU, at::kDouble);
  const at::Tensor labels = gather_all(own_labels, world).cpu().contiguous();
  const at::Tensor lengths = embeddings.norm(2, 1, /*keepdim=*/true).clamp_min(1e-12);
  const at::Tensor directions = (embeddings / lengths).contiguous();
  if (!directions.isfinite().all().item<bool>()) {
    return {.value = std::numeric_limits<double>::quiet_NaN()};
  }
  const auto* const first = labels.const_data_ptr<std::int64_t>();
  return {.value = fold_accuracy(pair_up(directions, {first, first + labels.numel()}))};
}

}  // namespace trainmark::train
