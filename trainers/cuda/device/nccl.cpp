#include "cuda/device/nccl.h"

#include <c10/cuda/CUDAFunctions.h>

#include <torch/csrc/distributed/c10d/ProcessGroupNCCL.hpp>

#include "common/failure.h"

namespace trainmark::train {

#ifdef USE_C10D_NCCL

c10::intrusive_ptr<c10d::Backend> make_nccl(const c10::intrusive_ptr<c10d::Store>& store, int rank,
                                            int ranks, std::chrono::seconds timeout) {
  const auto options = c10d::ProcessGroupNCCL::Options::create(/*is_high_priority_stream=*/true);
  options->timeout = timeout;
  auto group = c10::make_intrusive<c10d::ProcessGroupNCCL>(store, rank, ranks, options);
  // Now, and not in the first step.
  group->eagerConnectSingleDevice(at::Device(at::kCUDA, c10::cuda::current_device()));
  return group;
}

#else

c10::intrusive_ptr<c10d::Backend> make_nccl(const c10::intrusive_ptr<c10d::Store>&, int, int,
                                            std::chrono::seconds) {
  throw Unsupported(
      "several GPUs cannot communicate: nccl.h was not found when this program was built");
}

#endif

}  // namespace trainmark::train
