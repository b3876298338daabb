// NVIDIA GPUs, their driver, and the ways between them.

#include <fmt/format.h>

#include "base/json_fields.h"
#include "base/text.h"
#include "environ/machine/area.h"

namespace trainmark {

using nlohmann::json;

namespace {

json moment(const Nvml& nvml, int gpu) {
  const GpuSample sample = nvml.sample(gpu);
  json now = json::object();
  set_field(now, "sm_mhz", sample.sm_mhz);
  set_field(now, "memory_mhz", sample.memory_mhz);
  set_field(now, "power_milliwatts", sample.power_milliwatts);
  set_field(now, "celsius", sample.celsius);
  set_field(now, "memory_used_bytes", sample.memory_used_bytes);
  set_field(now, "busy_percent", sample.busy_percent);
  // An idle link is put to sleep and then shows fewer lanes and an older generation.
  set_field(now, "pcie_generation", nvml.current_pcie_generation(gpu));
  set_field(now, "pcie_width", nvml.current_pcie_width(gpu));
  if (sample.throttle_reasons) {
    now["throttle_reasons"] = throttle_reason_names(*sample.throttle_reasons);
  }
  if (const auto processes = nvml.processes(gpu)) {
    now["processes"] = json::array();
    for (const GpuProcess& process : *processes) now["processes"].push_back(process.pid);
  }
  return now;
}

json device(const Nvml& nvml, int gpu) {
  const GpuInfo info = nvml.info(gpu);
  json result = json::object();
  set_field(result, "name", info.name);
  set_field(result, "memory_bytes", info.memory_bytes);
  set_field(result, "compute_capability", info.compute_capability);
  set_field(result, "max_sm_mhz", info.max_sm_mhz);
  set_field(result, "max_memory_mhz", info.max_memory_mhz);
  set_field(result, "power_limit_watts", info.power_limit_watts);
  set_field(result, "default_power_limit_watts", info.default_power_limit_watts);
  set_field(result, "persistence", info.persistence);
  set_field(result, "ecc", info.ecc);
  set_field(result, "mig", info.mig);
  set_field(result, "pcie_generation", info.pcie_generation);
  set_field(result, "pcie_width", info.pcie_width);
  result["nvlinks"] = info.nvlinks;
  json instance = json::object();
  set_field(instance, "uuid", info.uuid);
  set_field(instance, "bus_id", info.bus_id);
  result["instance"] = std::move(instance);
  result["now"] = moment(nvml, gpu);
  return result;
}

json collect(const Machine& machine) {
  if (!machine.nvml) return nullptr;
  const Nvml& nvml = *machine.nvml;
  json gpus = json::object();
  set_field(gpus, "driver", nvml.driver_version());
  set_field(gpus, "cuda", nvml.cuda_version());
  gpus["devices"] = json::array();
  for (int gpu = 0; gpu < nvml.count(); ++gpu) gpus["devices"].push_back(device(nvml, gpu));
  if (nvml.count() < 2) return gpus;
  gpus["links"] = json::array();
  for (int from = 0; from < nvml.count(); ++from) {
    json row = json::array();
    for (int to = 0; to < nvml.count(); ++to) row.push_back(from == to ? "X" : nvml.link(from, to));
    gpus["links"].push_back(std::move(row));
  }
  return gpus;
}

std::string device_line(const json& gpu) {
  std::vector<std::string> parts;
  if (const auto name = json_string(gpu, "name"); !name.empty()) parts.push_back(name);
  if (const auto bytes = json_number(gpu, "memory_bytes")) parts.push_back(bytes_text(*bytes));
  if (const auto capability = json_string(gpu, "compute_capability"); !capability.empty()) {
    parts.push_back("compute " + capability);
  }
  if (const auto mhz = json_number(gpu, "max_sm_mhz")) {
    parts.push_back(fmt::format("max {:.0f} MHz", *mhz));
  }
  if (const auto watts = json_number(gpu, "power_limit_watts")) {
    parts.push_back(fmt::format("{:.0f} W", *watts));
  }
  if (const auto generation = json_number(gpu, "pcie_generation")) {
    parts.push_back(fmt::format("PCIe {:.0f} x{:.0f}", *generation,
                                json_number(gpu, "pcie_width").value_or(0)));
  }
  if (json_switch(gpu, "mig").value_or(false)) parts.emplace_back("MIG on");
  if (json_switch(gpu, "ecc") == false) parts.emplace_back("ECC off");
  if (json_switch(gpu, "persistence") == false) parts.emplace_back("persistence off");
  if (const json* now = json_field(gpu, "now")) {
    const json* processes = json_field(*now, "processes");
    if (processes != nullptr && processes->is_array() && !processes->empty()) {
      const std::size_t count = processes->size();
      parts.push_back(count == 1 ? "in use by 1 process"
                                 : fmt::format("in use by {} processes", count));
    }
  }
  return join(parts, ", ");
}

AreaLines describe(const json& gpus) {
  AreaLines lines;
  if (const auto driver = json_string(gpus, "driver"); !driver.empty()) {
    const auto cuda = json_string(gpus, "cuda");
    lines.emplace_back("driver", driver + (cuda.empty() ? "" : " (CUDA " + cuda + ")"));
  }
  if (const json* devices = json_field(gpus, "devices"); devices && devices->is_array()) {
    for (std::size_t gpu = 0; gpu < devices->size(); ++gpu) {
      lines.emplace_back(fmt::format("gpu {}", gpu), device_line((*devices)[gpu]));
    }
  }
  if (const json* links = json_field(gpus, "links"); links && links->is_array()) {
    for (std::size_t row = 0; row < links->size(); ++row) {
      lines.emplace_back(fmt::format("links {}", row), json_line((*links)[row]));
    }
  }
  return lines;
}

const AreaRegistration registered("gpus", {50, "GPUs", collect, describe});

}  // namespace

}  // namespace trainmark
