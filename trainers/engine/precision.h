#pragma once

#include <torch/nn/module.h>

#include <map>
#include <string>
#include <vector>

#include "common/options.h"

namespace trainmark::train {

/// By device, what the engine can train in: the `precisions` of a workload without needs of its
/// own.
std::map<std::string, std::vector<std::string>> all_precisions();

/// Sets what holds for the whole program: TF32 on for `tf32` and off for all others, cuDNN's and
/// cuBLAS's alike.
void use_precision(const std::string& precision);

/// Gives the weights the type that the precision computes with. `fp64`: all of them. `fp16`: half
/// precision, but for the parameters of batch norms: kernels take them so, and their statistics
/// need it. `amp-…` on a GPU: the weights of matrix products and convolutions are kept in half
/// precision, beside the optimizer's fp32 ones. Autocast would make the same copies of them in
/// every step, one by one. Where gradients of several passes are added up, it must, since they are
/// added in fp32.
void convert_weights(torch::nn::Module& model, const Options& resolved);

/// The type of the floating-point data that goes into the model, of matrix products in it, and
/// whether gradients need a loss scale.
at::ScalarType data_type(const std::string& precision);
at::ScalarType product_type(const std::string& precision);
bool needs_loss_scale(const std::string& precision);

/// Holds while a forward pass runs: `amp-…` lets autocast choose half precision where it is safe,
/// the others change nothing.
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
