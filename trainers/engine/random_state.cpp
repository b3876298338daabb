#include "engine/random_state.h"

#include <ATen/Context.h>

#include <mutex>

namespace trainmark::train {
namespace {

constexpr const char* of_host = "random.host";
constexpr const char* of_device = "random.device";

at::Tensor state_of(at::Device device) {
  at::Generator generator = at::globalContext().defaultGenerator(device);
  const std::scoped_lock lock(generator.mutex());
  return generator.get_state();
}

void set_state(at::Device device, const at::Tensor& state) {
  at::Generator generator = at::globalContext().defaultGenerator(device);
  const std::scoped_lock lock(generator.mutex());
  generator.set_state(state);
}

}  // namespace

NamedTensors random_state(at::Device device) {
  NamedTensors state = {{of_host, state_of(at::kCPU)}};
  if (!device.is_cpu()) state.emplace(of_device, state_of(device));
  return state;
}

void set_random_state(at::Device device, const NamedTensors& state) {
  set_state(at::kCPU, state.at(of_host));
  if (!device.is_cpu()) set_state(device, state.at(of_device));
}

}  // namespace trainmark::train
