#include "engine/device.h"

#include <ATen/Context.h>
#include <dlfcn.h>

#include <filesystem>

namespace trainmark::train {
namespace {

namespace fs = std::filesystem;

/// The folder libtorch_cpu.so was loaded from.
fs::path libtorch_folder() {
  Dl_info info{};
  const auto* symbol = reinterpret_cast<const void*>(&at::globalContext);
  return dladdr(symbol, &info) != 0 ? fs::path(info.dli_fname).parent_path() : fs::path();
}

std::string why_cuda_is_missing() {
  std::error_code error;
  if (!fs::exists(libtorch_folder() / "libtorch_cuda.so", error)) {
    return "libtorch_cuda.so was not found beside libtorch_cpu.so";
  }
  void* const driver = dlopen("libcuda.so.1", RTLD_LAZY | RTLD_LOCAL);
  if (driver == nullptr) return "libcuda.so.1 was not found: there is no NVIDIA driver";
  dlclose(driver);
  return "";
}

}  // namespace

std::vector<DeviceDescription> find_devices() {
  return {{"cpu", ""}, {"cuda", why_cuda_is_missing()}};
}

}  // namespace trainmark::train
