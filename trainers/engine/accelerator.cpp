#include "engine/accelerator.h"

#include <ATen/Context.h>
#include <ATen/detail/CUDAHooksInterface.h>
#include <dlfcn.h>
#include <fmt/format.h>

#include <cstdlib>

#include "common/failure.h"
#include "engine/device.h"

namespace trainmark::train {
namespace {

/// Stays open until the program ends: its operators are registered with LibTorch.
void* open_library(const std::filesystem::path& path, int scope) {
  void* const library = dlopen(path.c_str(), RTLD_NOW | scope);
  if (library == nullptr) {
    throw Unsupported(fmt::format("cuda cannot be used here: {}", dlerror()));
  }
  return library;
}

/// A rank that sees one device only was given it by its launcher.
int device_of(int local_rank) {
  const int devices = static_cast<unsigned char>(at::detail::getCUDAHooks().deviceCount());
  if (devices == 1) return 0;
  if (local_rank < devices) return local_rank;
  throw Unsupported(
      fmt::format("LOCAL_RANK is {}, but there are {} GPUs on this machine", local_rank, devices));
}

/// With the usual eight queues, the streams of nvJPEG wait for kernels of the step that happen to
/// be in the same one. The driver reads it when it starts.
void ask_for_queues() {
  constexpr int keep = 0;  // what the user has set
  setenv("CUDA_DEVICE_MAX_CONNECTIONS", "32", keep);
}

Accelerator* open_cuda(int local_rank) {
  ask_for_queues();
  open_library(libtorch_folder() / "libtorch_cuda.so", RTLD_GLOBAL);
  if (!at::globalContext().hasCUDA()) {
    throw Unsupported("cuda cannot be used here: LibTorch sees no NVIDIA GPU");
  }
  void* const own = open_library(cuda_library(), RTLD_LOCAL);
  const auto function = reinterpret_cast<AcceleratorFunction>(dlsym(own, accelerator_symbol));
  TORCH_CHECK(function != nullptr, cuda_library().string(), " has no ", accelerator_symbol);
  at::globalContext().lazyInitDevice(at::kCUDA);
  return function(device_of(local_rank));
}

}  // namespace

Accelerator* open_accelerator(const std::string& device, int local_rank) {
  if (device == "cpu") return nullptr;
  static Accelerator* const cuda = open_cuda(local_rank);
  return cuda;
}

}  // namespace trainmark::train
