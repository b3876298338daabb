#include "engine/precision.h"

#include <ATen/Context.h>
#include <ATen/autocast_mode.h>
#include <torch/nn/modules/batchnorm.h>
#include <torch/nn/modules/conv.h>
#include <torch/nn/modules/linear.h>

namespace trainmark::train {
namespace {

bool is_amp(const std::string& precision) {
  return precision.starts_with("amp-");
}

bool is_batch_norm(const torch::nn::Module& module) {
  return module.as<torch::nn::BatchNorm2d>() != nullptr ||
         module.as<torch::nn::BatchNorm1d>() != nullptr;
}

bool is_product(const torch::nn::Module& module) {
  return module.as<torch::nn::Linear>() != nullptr || module.as<torch::nn::Conv2d>() != nullptr ||
         module.as<torch::nn::ConvTranspose2d>() != nullptr;
}

void widen(torch::nn::Module& model) {
  std::vector<at::Tensor> tensors = model.parameters();
  for (const at::Tensor& buffer : model.buffers()) tensors.push_back(buffer);
  for (at::Tensor& tensor : tensors) {
    if (tensor.is_floating_point()) tensor.set_data(tensor.data().to(at::kDouble));
  }
}

}  // namespace

void use_precision(const std::string& precision) {
  const bool tf32 = precision == "tf32";
  at::globalContext().setAllowTF32CuBLAS(tf32);
  at::globalContext().setAllowTF32CuDNN(tf32);
}

void convert_weights(torch::nn::Module& model, const Options& resolved) {
  if (resolved.precision == "fp64") return widen(model);
  const bool pure = resolved.precision == "fp16";
  const bool amp_copies =
      is_amp(resolved.precision) && resolved.device != "cpu" && resolved.accumulate == 1;
  if (!pure && !amp_copies) return;
  const at::ScalarType type = product_type(resolved.precision);
  model.apply([&](torch::nn::Module& module) {
    if (pure ? is_batch_norm(module) : !is_product(module)) return;
    for (at::Tensor& parameter : module.parameters(/*recurse=*/false)) {
      parameter.set_data(parameter.data().to(type));
    }
  });
}

at::ScalarType data_type(const std::string& precision) {
  if (precision == "fp64") return at::kDouble;
  return precision == "fp16" ? at::kHalf : at::kFloat;
}

at::ScalarType product_type(const std::string& precision) {
  if (precision == "amp-bf16") return at::kBFloat16;
  if (precision == "fp64") return at::kDouble;
  return needs_loss_scale(precision) ? at::kHalf : at::kFloat;
}

bool needs_loss_scale(const std::string& precision) {
  return precision.ends_with("fp16");
}

std::map<std::string, std::vector<std::string>> all_precisions() {
  return {{"cpu", {"fp32", "fp64", "amp-bf16"}},
          {"cuda", {"fp32", "tf32", "amp-fp16", "amp-bf16", "fp16"}}};
}

PrecisionScope::PrecisionScope(const std::string& precision, at::Device device)
    : device_(device.type()), autocast_(is_amp(precision)) {
  if (!autocast_) return;
  at::autocast::set_autocast_dtype(device_, product_type(precision));
  at::autocast::set_autocast_enabled(device_, true);
}

PrecisionScope::~PrecisionScope() {
  if (!autocast_) return;
  at::autocast::set_autocast_enabled(device_, false);
  // The weights' half-precision copies are cached for one pass; the optimizer makes them stale.
  at::autocast::clear_cache();
}

}  // namespace trainmark::train
