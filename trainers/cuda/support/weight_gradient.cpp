#include "cuda/support/weight_gradient.h"

#include <ATen/cuda/CUDAEvent.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/mm.h>
#include <c10/cuda/CUDAGraphsC10Utils.h>
#include <c10/cuda/CUDAGuard.h>

namespace trainmark::train {
namespace {

// Long sums over small matrices: such a product leaves processors idle. The others only take
// processors from the pass (docs/gpu.md).
constexpr std::int64_t least_rows = 8192;

/// The product under way, and what it reads.
struct Pending {
  c10::cuda::CUDAStream waiting;  // the pass's
  at::Tensor dy;
  at::Tensor x;
};

// A pass is run by one thread at a time, which need not always be the same.
bool may_wait = false;
std::optional<Pending> pending;

const c10::cuda::CUDAStream& side_stream() {
  static const c10::cuda::CUDAStream stream = c10::cuda::getStreamFromPool();
  return stream;
}

/// What `waiting` does from here on comes after what `first` has been given so far.
void let_wait(const c10::cuda::CUDAStream& waiting, const c10::cuda::CUDAStream& first) {
  at::cuda::CUDAEvent event;
  event.record(first);
  event.block(waiting);
}

void finish_pending() {
  if (!pending) return;
  let_wait(pending->waiting, side_stream());
  pending.reset();
}

bool in_recorded_step() {
  return c10::cuda::currentStreamCaptureStatusMayInitCtx() != c10::cuda::CaptureStatus::None;
}

}  // namespace

at::Tensor weight_gradient(const at::Tensor& dy, const at::Tensor& x) {
  if (!may_wait || x.size(0) < least_rows || !in_recorded_step()) return dy.t().mm(x);
  // One at a time, so that what it reads is kept no longer than until the next one.
  finish_pending();
  at::Tensor result = at::empty({dy.size(1), x.size(1)}, dy.options());
  const c10::cuda::CUDAStream pass = c10::cuda::getCurrentCUDAStream();
  let_wait(side_stream(), pass);
  {
    const c10::cuda::CUDAStreamGuard guard(side_stream());
    at::mm_out(result, dy.t(), x);
  }
  pending.emplace(Pending{pass, dy, x});
  return result;
}

void begin_weight_gradients() {
  may_wait = true;
}

void end_weight_gradients() {
  finish_pending();
  may_wait = false;
}

}  // namespace trainmark::train
