#pragma once

#include <chrono>
#include <torch/csrc/distributed/c10d/Backend.hpp>

namespace trainmark::train {

/// NCCL's process group, on the current device. Throws Unsupported where this was built without it.
c10::intrusive_ptr<c10d::Backend> make_nccl(const c10::intrusive_ptr<c10d::Store>& store, int rank,
                                            int ranks, std::chrono::seconds timeout);

}  // namespace trainmark::train
