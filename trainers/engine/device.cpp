#include "engine/device.h"

#include <ATen/Context.h>
#include <dlfcn.h>

namespace trainmark::train {
namespace {

namespace fs = std::filesystem;

std::string why_cuda_is_missing() {
  std::error_code error;
  if (!fs::exists(libtorch_folder() / "libtorch_cuda.so", error)) {
    return "libtorch_cuda.so was not found beside libtorch_cpu.so";
  }
  void* const driver = dlopen("libcuda.so.1", RTLD_LAZY | RTLD_LOCAL);
  if (driver == nullptr) return "libcuda.so.1 was not found: there is no NVIDIA driver";
  dlclose(driver);
  if (!fs::exists(cuda_library(), error)) {
    return cuda_library().filename().string() +
           " was not found beside the program: it is built where there is a CUDA compiler (nvcc)";
  }
  return "";
}

}  // namespace

fs::path libtorch_folder() {
  Dl_info info{};
  const auto* symbol = reinterpret_cast<const void*>(&at::globalContext);
  return dladdr(symbol, &info) != 0 ? fs::path(info.dli_fname).parent_path() : fs::path();
}

fs::path cuda_library() {
  std::error_code error;
  return fs::read_symlink("/proc/self/exe", error).parent_path() / "libtrainmark-cuda.so";
}

std::vector<DeviceDescription> find_devices() {
  return {{"cpu", ""}, {"cuda", why_cuda_is_missing()}};
}

}  // namespace trainmark::train
