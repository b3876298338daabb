#pragma once

#include <ATen/core/Tensor.h>

#include <map>
#include <string>
#include <vector>

namespace trainmark::train {

/// By device, what the engine can train in: the `precisions` of a workload without needs of its
/// own.
std::map<std::string, std::vector<std::string>> all_precisions();

/// Holds while a forward pass runs in a cell's precision: `fp32` changes nothing, `amp-bf16` lets
/// autocast choose bfloat16 where it is safe. What a workload does not declare never comes here.
class PrecisionScope {
 public:
  PrecisionScope(const std::string& precision, at::Device device);
  ~PrecisionScope();
  PrecisionScope(const PrecisionScope&) = delete;
  PrecisionScope& operator=(const PrecisionScope&) = delete;

 private:
  at::DeviceType device_;
  bool autocast_;
};

}  // namespace trainmark::train
