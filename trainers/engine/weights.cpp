#include "engine/weights.h"

#include <ATen/core/grad_mode.h>
#include <ATen/ops/zeros.h>
#include <fmt/format.h>

#include <sstream>

#include "base/error.h"
#include "base/text.h"

namespace trainmark::train {
namespace {

std::string shape_text(at::IntArrayRef shape) {
  std::ostringstream text;
  text << shape;
  return text.str();
}

/// Gives each tensor of which this rank has a part all its rows.
void gather_shards(NamedTensors& tensors, const Shards& shards, World& world) {
  const at::NoGradGuard no_grad;
  for (auto& [name, tensor] : tensors) {
    const auto shard = shards.find(name);
    if (shard == shards.end()) continue;
    // The last rank may have fewer rows, and a collective wants as many of each.
    const std::int64_t most = (shard->second.all + world.size() - 1) / world.size();
    const at::Tensor rows = at::zeros({most, tensor.size(1)}, tensor.options());
    rows.narrow(0, 0, tensor.size(0)).copy_(tensor);
    tensor = world.gather_rows(rows).narrow(0, 0, shard->second.all);
  }
}

}  // namespace

NamedTensors weights_of(const torch::nn::Module& model) {
  NamedTensors tensors;
  for (const auto& item : model.named_parameters()) tensors.emplace(item.key(), item.value());
  for (const auto& item : model.named_buffers()) {
    if (item.value().is_floating_point()) tensors.emplace(item.key(), item.value());
  }
  return tensors;
}

void save_weights(const torch::nn::Module& model, const Shards& shards, World& world,
                  const std::string& path) {
  save_tensors(weights_of(model), shards, world, path);
}

void save_tensors(NamedTensors tensors, const Shards& shards, World& world,
                  const std::string& path) {
  gather_shards(tensors, shards, world);
  if (path.empty()) return;
  for (auto& [name, tensor] : tensors) {
    tensor = tensor.to(at::kFloat);
  }
  write_safetensors(path, tensors);
}

NamedTensors gradients_of(const torch::nn::Module& model, double scale) {
  NamedTensors gradients;
  for (const auto& item : model.named_parameters()) {
    const at::Tensor& gradient = item.value().grad();
    if (!gradient.defined()) continue;
    // In half precision, the quotient would be too small to be told from zero.
    const bool wide = gradient.scalar_type() == at::kDouble;
    gradients.emplace(item.key(), gradient.to(wide ? at::kDouble : at::kFloat) / scale);
  }
  return gradients;
}

void load_weights(torch::nn::Module& model, const Shards& shards, const std::string& path) {
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
    std::vector<std::int64_t> shape = tensor.sizes().vec();
    const auto shard = shards.find(name);
    if (shard != shards.end()) shape[0] = shard->second.all;
    if (found->second.sizes() != shape) {
      throw UserError(fmt::format("{}: '{}' has the shape {}, the model's has {}; another --size?",
                                  path, name, shape_text(found->second.sizes()),
                                  shape_text(shape)));
    }
    const std::int64_t first = shard != shards.end() ? shard->second.first : 0;
    tensor.copy_(tensor.dim() == 0 ? found->second
                                   : found->second.narrow(0, first, tensor.size(0)));
  }
}

}  // namespace trainmark::train
