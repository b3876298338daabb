#include "engine/precision.h"

#include <ATen/autocast_mode.h>

namespace trainmark::train {

std::map<std::string, std::vector<std::string>> all_precisions() {
  return {{"cpu", {"fp32", "amp-bf16"}},
          {"cuda", {"fp32", "tf32", "amp-fp16", "amp-bf16", "fp16"}}};
}

PrecisionScope::PrecisionScope(const std::string& precision, at::Device device)
    : device_(device.type()), autocast_(precision == "amp-bf16") {
  TORCH_CHECK(autocast_ || precision == "fp32", "no precision ", precision);
  if (!autocast_) return;
  at::autocast::set_autocast_dtype(device_, at::kBFloat16);
  at::autocast::set_autocast_enabled(device_, true);
}

PrecisionScope::~PrecisionScope() {
  if (!autocast_) return;
  at::autocast::set_autocast_enabled(device_, false);
  // The weights' bfloat16 copies are cached for one forward pass; the optimizer makes them stale.
  at::autocast::clear_cache();
}

}  // namespace trainmark::train
