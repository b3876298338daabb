#include "engine/probe.h"

#include <ATen/core/grad_mode.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/full.h>
#include <ATen/ops/mm.h>

#include <algorithm>

#include "common/host.h"
#include "engine/precision.h"

namespace trainmark::train {
namespace {

// Large enough that the device's peak shows, small enough for a probe.
constexpr std::int64_t matrix_side = 8192;
constexpr std::int64_t matrix_side_on_cpu = 1024;
constexpr std::int64_t copy_bytes = std::int64_t{1} << 30;
constexpr std::int64_t copy_bytes_on_cpu = std::int64_t{1} << 27;
constexpr int probe_repeats = 5;

/// The shortest of a few times; the first call of all prepares and does not count.
double best_seconds(Accelerator* accelerator, const std::function<void()>& work) {
  const auto seconds = [&] {
    const std::int64_t begin = monotonic_ns();
    work();
    if (accelerator != nullptr) accelerator->synchronize();
    return 1e-9 * static_cast<double>(monotonic_ns() - begin);
  };
  seconds();
  double best = seconds();
  for (int i = 1; i < probe_repeats; ++i) best = std::min(best, seconds());
  return best;
}

}  // namespace

DeviceRates probe(at::Device device, const std::string& precision, Accelerator* accelerator,
                  const Kernels& kernels) {
  const at::NoGradGuard no_grad;
  const bool cpu = accelerator == nullptr;
  DeviceRates rates;
  {
    const std::int64_t side = cpu ? matrix_side_on_cpu : matrix_side;
    const auto options = at::TensorOptions(device).dtype(product_type(precision));
    const at::Tensor left = at::full({side, side}, 0.5, options);
    const at::Tensor right = at::full({side, side}, 0.25, options);
    double seconds = best_seconds(accelerator, [&] { at::mm(left, right); });
    if (cpu && kernels.linear != nullptr)
      seconds = std::min(seconds, best_seconds(nullptr, [&] { kernels.linear(left, right, {}); }));
    const auto products = static_cast<double>(side) * static_cast<double>(side * side);
    rates.matrix_flops_per_second = 2 * products / seconds;
  }
  {
    const std::int64_t bytes = cpu ? copy_bytes_on_cpu : copy_bytes;
    const auto options = at::TensorOptions(device).dtype(at::kByte);
    const at::Tensor from = at::full({bytes}, 1, options);
    at::Tensor to = at::empty({bytes}, options);
    const double seconds = best_seconds(accelerator, [&] { to.copy_(from); });
    rates.copy_bytes_per_second = 2 * static_cast<double>(bytes) / seconds;
  }
  return rates;
}

}  // namespace trainmark::train
