#include "cuda/support/random.h"

#include <ATen/cuda/CUDAGeneratorImpl.h>

namespace trainmark::train {

RandomState reserve_numbers() {
  auto generator = at::get_generator_or_default<at::CUDAGeneratorImpl>(
      std::nullopt, at::cuda::detail::getDefaultCUDAGenerator());
  const std::lock_guard<std::mutex> lock(generator->mutex_);
  const at::PhiloxCudaState state = generator->philox_cuda_state(/*increment=*/4);
  if (!state.captured_) return {.seed = state.seed_.val, .offset = state.offset_.val};
  return {.offset = state.offset_intragraph_,
          .seed_at = state.seed_.ptr,
          .offset_at = state.offset_.ptr};
}

}  // namespace trainmark::train
