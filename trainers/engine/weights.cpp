#include "engine/weights.h"

#include <ATen/core/grad_mode.h>
#include <fmt/format.h>

#include <sstream>

#include "base/error.h"
#include "base/text.h"

namespace trainmark::train {
namespace {

NamedTensors weights_of(const torch::nn::Module& model) {
  NamedTensors tensors;
  for (const auto& item : model.named_parameters()) tensors.emplace(item.key(), item.value());
  for (const auto& item : model.named_buffers()) {
    if (item.value().is_floating_point()) tensors.emplace(item.key(), item.value());
  }
  return tensors;
}

std::string shape_text(const at::Tensor& tensor) {
  std::ostringstream text;
  text << tensor.sizes();
  return text.str();
}

}  // namespace

void save_weights(const torch::nn::Module& model, const std::string& path) {
  write_safetensors(path, weights_of(model));
}

NamedTensors gradients_of(const torch::nn::Module& model) {
  NamedTensors gradients;
  for (const auto& item : model.named_parameters()) {
    if (item.value().grad().defined()) gradients.emplace(item.key(), item.value().grad().clone());
  }
  return gradients;
}

void load_weights(torch::nn::Module& model, const std::string& path) {
  const at::NoGradGuard no_grad;
  const NamedTensors file = read_safetensors(path);
  NamedTensors own = weights_of(model);
  for (const auto& [name, tensor] : file) {
    if (!own.contains(name)) {
      throw UserError(fmt::format("{}: the model has no '{}'", path, printable(name)));
    }
  }
  for (auto& [name, tensor] : own) {
    const auto found = file.find(name);
    if (found == file.end()) throw UserError(fmt::format("{}: '{}' is missing", path, name));
    if (found->second.sizes() != tensor.sizes()) {
      throw UserError(fmt::format("{}: '{}' has the shape {}, the model's has {}; another --size?",
                                  path, name, shape_text(found->second), shape_text(tensor)));
    }
    tensor.copy_(found->second);
  }
}

}  // namespace trainmark::train
