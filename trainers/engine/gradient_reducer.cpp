#include "engine/gradient_reducer.h"

#include <fmt/format.h>
#include <torch/csrc/autograd/engine.h>
#include <torch/csrc/distributed/c10d/reducer.hpp>

#include <algorithm>

#include "common/host.h"

namespace trainmark::train {
namespace {

// Small, so that the first bucket is on its way soon. DistributedDataParallel's.
constexpr std::int64_t kFirstBucketBytes = c10d::kDefaultFirstBucketBytes;

/// The mean over the ranks, as the Reducer's own hook makes it, with its times taken.
class AverageHook : public c10d::CppCommHookInterface<World*> {
 public:
  AverageHook(World& world, std::shared_ptr<std::atomic<std::int64_t>> waits_since_ns)
      : CppCommHookInterface(&world), waits_since_ns_(std::move(waits_since_ns)) {}

  c10::intrusive_ptr<c10::ivalue::Future> runHook(c10d::GradBucket& bucket) override {
    // Divided first: a sum of many ranks might not fit into fp16.
    const at::Tensor buffer = bucket.getBufferRef().div_(static_cast<double>(state_->size()));
    const c10::intrusive_ptr<c10d::Work> work = state_->begin_sum(buffer);
    if (bucket.isLast() && state_->meter() != nullptr) {
      // When the pass has done all else, it waits for the buckets: in a callback that the Reducer
      // will queue behind this one.
      torch::autograd::Engine::get_default_engine().queue_callback(
          [waits_since_ns = waits_since_ns_] { *waits_since_ns = monotonic_ns(); });
    }
    return work->getFuture();
  }

 private:
  std::shared_ptr<std::atomic<std::int64_t>> waits_since_ns_;
};

}  // namespace

GradientReducer::GradientReducer(World& world, std::vector<at::Tensor> parameters,
                                 std::int64_t bucket_bytes)
    : world_(world), waits_since_ns_(std::make_shared<std::atomic<std::int64_t>>(0)) {
  world.broadcast(parameters);
  const std::vector<bool> sparse(parameters.size(), false);
  const std::int64_t first_bytes = std::min(kFirstBucketBytes, bucket_bytes);
  auto buckets = std::get<0>(c10d::compute_bucket_assignment_by_size(
      parameters, {static_cast<std::size_t>(first_bytes), static_cast<std::size_t>(bucket_bytes)},
      sparse));
  std::reverse(buckets.begin(), buckets.end());  // gradients come from the back
  reducer_ = std::make_unique<c10d::Reducer>(
      std::move(parameters), std::move(buckets), world.group(), sparse, bucket_bytes,
      /*find_unused_parameters=*/false, /*gradient_as_bucket_view=*/true,
      /*param_names=*/std::unordered_map<std::size_t, std::string>{}, first_bytes,
      /*skip_all_reduce_unused_params=*/false, /*use_python_reducer=*/false,
      /*bucket_bytes_cap_list=*/std::vector<std::int64_t>{});
  reducer_->register_comm_hook(std::make_unique<AverageHook>(world, waits_since_ns_));
}

GradientReducer::~GradientReducer() = default;

void GradientReducer::backward(const at::Tensor& loss) {
  try {
    // After the first step the buckets follow the order in which the gradients came.
    reducer_->rebuild_buckets();
    reducer_->prepare_for_backward({});
    loss.backward();
  } catch (const c10::Error&) {
    throw;
  } catch (const std::exception& error) {  // Gloo's own
    throw std::runtime_error(fmt::format("rank {} of {}: lost the other ranks: {}", world_.rank(),
                                         world_.size(), error.what()));
  }
  if (CommunicationMeter* const meter = world_.meter()) {
    meter->add_wait(*waits_since_ns_, std::min(meter->last_end_ns(), monotonic_ns()));
  }
}

}  // namespace trainmark::train
