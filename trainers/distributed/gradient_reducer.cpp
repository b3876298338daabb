#include "distributed/gradient_reducer.h"

#include <ATen/core/grad_mode.h>
#include <ATen/ops/_foreach_div.h>
#include <ATen/ops/tensor.h>
#include <torch/csrc/autograd/function_hook.h>
#include <torch/csrc/autograd/variable.h>
#include <torch/csrc/distributed/c10d/reducer.hpp>

#include <algorithm>
#include <functional>
#include <numeric>
#include <span>
#include <stdexcept>

namespace trainmark::train {
namespace {

// Small, so that the first bucket is on its way soon. DistributedDataParallel's.
constexpr std::int64_t first_bucket_bytes = c10d::kDefaultFirstBucketBytes;

/// Called by autograd when a parameter has its gradient.
class Arrival : public torch::autograd::PostAccumulateGradHook {
 public:
  explicit Arrival(std::function<void()> action) : action_(std::move(action)) {}
  void operator()(const at::Tensor& /*parameter*/) override { action_(); }

 private:
  std::function<void()> action_;
};

/// A gradient's elements as they lie in memory, in whatever layout. All ranks have the same.
at::Tensor flat(at::Tensor& gradient) {
  if (!gradient.is_non_overlapping_and_dense()) gradient = gradient.contiguous();
  return gradient.as_strided({gradient.numel()}, {1});
}

}  // namespace

GradientReducer::GradientReducer(World& world, std::vector<at::Tensor> parameters,
                                 std::int64_t bucket_bytes)
    : world_(world), parameters_(std::move(parameters)), bucket_bytes_(bucket_bytes) {
  world.broadcast(parameters_);
  std::vector<std::size_t> order(parameters_.size());
  std::iota(order.rbegin(), order.rend(), 0);  // gradients come from the back
  make_buckets(order);
  for (std::size_t i = 0; i < parameters_.size(); ++i) {
    torch::autograd::impl::set_post_acc_grad_hooks(
        parameters_[i], std::make_unique<Arrival>([this, i] { take_gradient(i); }));
  }
}

GradientReducer::~GradientReducer() {
  for (const at::Tensor& parameter : parameters_) {
    torch::autograd::impl::set_post_acc_grad_hooks(parameter, nullptr);
  }
}

void GradientReducer::backward(const at::Tensor& loss) {
  for (Bucket& bucket : buckets_) bucket.missing = bucket.parameters.size();
  sent_ = 0;
  under_way_.clear();
  reducing_ = true;
  loss.backward();
  reducing_ = false;
  if (sent_ < buckets_.size()) {
    throw std::logic_error("a parameter that all ranks share has got no gradient");
  }
  for (const auto& work : under_way_) world_.wait(*work);
  if (!order_is_known_) follow_order_of_arrival();
}

void GradientReducer::make_buckets(const std::vector<std::size_t>& order) {
  std::vector<at::Tensor> coming;
  for (const std::size_t parameter : order) coming.push_back(parameters_[parameter]);
  const std::int64_t first_bytes = std::min(first_bucket_bytes, bucket_bytes_);
  const auto groups = std::get<0>(c10d::compute_bucket_assignment_by_size(
      coming, {static_cast<std::size_t>(first_bytes), static_cast<std::size_t>(bucket_bytes_)}));
  buckets_.clear();
  bucket_of_.assign(parameters_.size(), 0);
  for (const auto& group : groups) {
    Bucket bucket{{}, 0};
    for (const std::size_t place : group) {
      bucket_of_[order[place]] = buckets_.size();
      bucket.parameters.push_back(order[place]);
    }
    buckets_.push_back(std::move(bucket));
  }
}

void GradientReducer::take_gradient(std::size_t parameter) {
  if (!reducing_) return;  // a pass that only accumulates
  if (!order_is_known_) arrived_.push_back(parameter);
  --buckets_[bucket_of_[parameter]].missing;
  while (sent_ < buckets_.size() && buckets_[sent_].missing == 0) {
    begin_average(buckets_[sent_]);
    ++sent_;
  }
}

void GradientReducer::begin_average(const Bucket& bucket) {
  const at::NoGradGuard no_grad;
  std::vector<at::Tensor> gradients;
  for (const std::size_t parameter : bucket.parameters) {
    gradients.push_back(flat(parameters_[parameter].mutable_grad()));
  }
  // Divided first: a sum of many ranks might not fit into fp16.
  if (world_.size() > 1) at::_foreach_div_(gradients, world_.size());
  under_way_.push_back(world_.begin_sum(std::move(gradients)));
}

void GradientReducer::follow_order_of_arrival() {
  const std::vector<std::int64_t> own(arrived_.begin(), arrived_.end());
  const at::Tensor order = at::tensor(own).to(parameters_.at(0).device());
  world_.broadcast({order});  // the order of rank 0 is that of all
  const at::Tensor known = order.cpu();
  const std::span numbers(known.const_data_ptr<std::int64_t>(),
                          static_cast<std::size_t>(known.numel()));
  make_buckets({numbers.begin(), numbers.end()});
  order_is_known_ = true;
}

}  // namespace trainmark::train
