#include "environ/nvml/nvml.h"

#include <fmt/format.h>

#include <array>
#include <cstring>

#include "base/text.h"
#include "environ/nvml/library.h"

namespace trainmark {

namespace {

/// Calls a function that fills one value in; nothing where it is missing or refuses.
template <class Value, class... Parameters, class... Arguments>
std::optional<Value> ask(nvml::Result (*function)(nvml::Device, Parameters...), nvml::Device device,
                         Arguments... arguments) {
  Value value = {};
  if (function == nullptr || device == nullptr) return std::nullopt;
  if (function(device, arguments..., &value) != nvml::success) return std::nullopt;
  return value;
}

std::optional<bool> as_switch(std::optional<unsigned> value) {
  return value ? std::optional<bool>(*value != 0) : std::nullopt;
}

std::optional<bool> first_of_two(nvml::Result (*function)(nvml::Device, unsigned*, unsigned*),
                                 nvml::Device device) {
  unsigned now = 0;
  unsigned after_reboot = 0;
  if (function == nullptr || device == nullptr) return std::nullopt;
  if (function(device, &now, &after_reboot) != nvml::success) return std::nullopt;
  return now != 0;
}

std::string text_of(nvml::Result (*function)(nvml::Device, char*, unsigned), nvml::Device device) {
  std::array<char, 128> text = {};
  if (function == nullptr || device == nullptr) return "";
  if (function(device, text.data(), text.size() - 1) != nvml::success) return "";
  return printable(text.data());
}

std::optional<double> watts(std::optional<unsigned> milliwatts) {
  return milliwatts ? std::optional<double>(*milliwatts / 1000.0) : std::nullopt;
}

std::string bus_id(const nvml::PciInfo& info) {
  return printable(std::string_view(info.bus_id, ::strnlen(info.bus_id, sizeof info.bus_id)));
}

}  // namespace

Nvml::Nvml(std::unique_ptr<Library> library) : library_(std::move(library)) {}
Nvml::~Nvml() = default;

std::shared_ptr<const Nvml> Nvml::open(const std::string& library) {
  auto opened = std::make_unique<Library>();
  if (!opened->load(library)) return nullptr;
  return std::shared_ptr<const Nvml>(new Nvml(std::move(opened)));
}

std::shared_ptr<const Nvml> Nvml::shared() {
  static const std::shared_ptr<const Nvml> nvml = open();
  return nvml;
}

std::string Nvml::driver_version() const {
  std::array<char, 96> text = {};
  if (library_->driver_version == nullptr) return "";
  if (library_->driver_version(text.data(), text.size() - 1) != nvml::success) return "";
  return printable(text.data());
}

std::string Nvml::cuda_version() const {
  int version = 0;
  if (library_->cuda_version == nullptr) return "";
  if (library_->cuda_version(&version) != nvml::success || version <= 0) return "";
  return fmt::format("{}.{}", version / 1000, version % 1000 / 10);
}

int Nvml::count() const {
  return static_cast<int>(library_->devices.size());
}

GpuInfo Nvml::info(int gpu) const {
  const Library& library = *library_;
  nvml::Device device = library.devices.at(static_cast<std::size_t>(gpu));
  GpuInfo info;
  info.name = text_of(library.name, device);
  info.uuid = text_of(library.uuid, device);
  if (const auto pci = ask<nvml::PciInfo>(library.pci, device)) info.bus_id = bus_id(*pci);
  if (const auto memory = ask<nvml::Memory>(library.memory, device)) {
    info.memory_bytes = memory->total;
  }
  int major = 0;
  int minor = 0;
  if (library.capability != nullptr && device != nullptr &&
      library.capability(device, &major, &minor) == nvml::success) {
    info.compute_capability = fmt::format("{}.{}", major, minor);
  }
  info.max_sm_mhz = ask<unsigned>(library.max_clock, device, unsigned{nvml::sm_clock});
  info.max_memory_mhz = ask<unsigned>(library.max_clock, device, unsigned{nvml::memory_clock});
  info.power_limit_watts = watts(ask<unsigned>(library.power_limit, device));
  info.default_power_limit_watts = watts(ask<unsigned>(library.default_power_limit, device));
  info.persistence = as_switch(ask<unsigned>(library.persistence, device));
  info.ecc = first_of_two(library.ecc, device);
  info.mig = first_of_two(library.mig, device);
  info.pcie_generation = ask<unsigned>(library.max_pcie_generation, device);
  info.pcie_width = ask<unsigned>(library.max_pcie_width, device);
  for (unsigned link = 0; link < nvml::most_links; ++link) {
    if (ask<unsigned>(library.link_state, device, link).value_or(0) != 0) ++info.nvlinks;
  }
  return info;
}

GpuSample Nvml::sample(int gpu) const {
  const Library& library = *library_;
  nvml::Device device = library.devices.at(static_cast<std::size_t>(gpu));
  GpuSample sample;
  sample.power_milliwatts = ask<unsigned>(library.power, device);
  sample.sm_mhz = ask<unsigned>(library.clock, device, unsigned{nvml::sm_clock});
  sample.memory_mhz = ask<unsigned>(library.clock, device, unsigned{nvml::memory_clock});
  sample.celsius = ask<unsigned>(library.temperature, device, nvml::temperature_of_gpu);
  sample.throttle_reasons = ask<unsigned long long>(library.throttle_reasons, device);
  if (const auto busy = ask<nvml::Utilization>(library.utilization, device)) {
    sample.busy_percent = busy->gpu;
    sample.memory_busy_percent = busy->memory;
  }
  if (const auto memory = ask<nvml::Memory>(library.memory, device)) {
    sample.memory_used_bytes = memory->used;
  }
  return sample;
}

std::optional<unsigned> Nvml::power_milliwatts(int gpu) const {
  return ask<unsigned>(library_->power, library_->devices.at(static_cast<std::size_t>(gpu)));
}

std::optional<unsigned long long> Nvml::energy_millijoules(int gpu) const {
  return ask<unsigned long long>(library_->energy,
                                 library_->devices.at(static_cast<std::size_t>(gpu)));
}

std::optional<unsigned> Nvml::current_pcie_generation(int gpu) const {
  return ask<unsigned>(library_->pcie_generation,
                       library_->devices.at(static_cast<std::size_t>(gpu)));
}

std::optional<unsigned> Nvml::current_pcie_width(int gpu) const {
  return ask<unsigned>(library_->pcie_width, library_->devices.at(static_cast<std::size_t>(gpu)));
}

}  // namespace trainmark
