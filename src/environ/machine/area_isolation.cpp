// Containers and virtual machines: neighbours, limits and clocks are not what they seem in them.

#include <array>

#include "base/json_fields.h"
#include "base/text.h"
#include "environ/machine/area.h"
#include "environ/system/cpuinfo.h"

namespace trainmark {

using nlohmann::json;

namespace {

/// Each sign alone is enough; "" is no sign.
struct ContainerSign {
  const char* name;
  const char* file;
  const char* group;     // part of a line of /proc/self/cgroup
  const char* variable;  // that is set inside
};

constexpr std::array<ContainerSign, 9> container_signs = {{
    {"docker", "/.dockerenv", "/docker", ""},
    {"podman", "/run/.containerenv", "libpod", ""},
    {"apptainer", "/.singularity.d", "", "APPTAINER_CONTAINER"},
    {"apptainer", "/singularity", "", "SINGULARITY_CONTAINER"},
    {"kubernetes", "/var/run/secrets/kubernetes.io", "kubepods", "KUBERNETES_SERVICE_HOST"},
    {"lxc", "", "/lxc", ""},
    {"enroot", "", "", "ENROOT_ROOTFS"},
    {"containerd", "", "cri-containerd", ""},
    {"flatpak", "/.flatpak-info", "", ""},
}};

bool has_variable(const Machine& machine, std::string_view name) {
  for (const std::string& variable : machine.variables) {
    if (variable.size() > name.size() && variable[name.size()] == '=' &&
        variable.starts_with(name)) {
      return true;
    }
  }
  return false;
}

json containers(const Machine& machine) {
  const std::string groups = machine.files.text("/proc/self/cgroup").value_or("");
  json found = json::array();
  for (const ContainerSign& sign : container_signs) {
    const bool file = *sign.file != 0 && machine.files.exists(sign.file);
    const bool group = *sign.group != 0 && groups.find(sign.group) != std::string::npos;
    const bool variable = *sign.variable != 0 && has_variable(machine, sign.variable);
    if (!file && !group && !variable) continue;
    if (found.empty() || found.back() != sign.name) found.push_back(sign.name);
  }
  return found;
}

struct VendorSign {
  const char* part;  // of the maker's or the product's name
  const char* hypervisor;
};

constexpr std::array<VendorSign, 11> vendor_signs = {{{"VMware", "vmware"},
                                                      {"VirtualBox", "virtualbox"},
                                                      {"innotek", "virtualbox"},
                                                      {"Xen", "xen"},
                                                      {"QEMU", "kvm"},
                                                      {"KVM", "kvm"},
                                                      {"Google", "kvm"},
                                                      {"Amazon EC2", "kvm"},
                                                      {"OpenStack", "kvm"},
                                                      {"Alibaba", "kvm"},
                                                      {"Microsoft", "hyperv"}}};

std::string virtualisation(const Machine& machine) {
  const SystemFiles& files = machine.files;
  const std::string kernel = files.text("/proc/sys/kernel/osrelease", 256).value_or("");
  if (kernel.find("microsoft") != std::string::npos) return "wsl";
  const auto type = files.text("/sys/hypervisor/type", 64);
  if (type && !type->empty()) return printable(*type);

  const CpuInfo info = parse_cpuinfo(files.text("/proc/cpuinfo", 16 << 20).value_or(""));
  const std::string product = files.text("/sys/class/dmi/id/product_name", 256).value_or("");
  const std::string maker = files.text("/sys/class/dmi/id/sys_vendor", 256).value_or("");
  // x86 says so itself, and the same makers also sell bare metal. Arm has no such flag.
  const bool x86 = info.has("fpu");
  const bool guest = info.has("hypervisor");
  if (x86 && !guest) return "";
  if (!x86 && product.find(".metal") != std::string::npos) return "";
  for (const VendorSign& sign : vendor_signs) {
    if ((maker + " " + product).find(sign.part) != std::string::npos) return sign.hypervisor;
  }
  const auto clocks =
      files.text("/sys/devices/system/clocksource/clocksource0/available_clocksource", 256);
  if (clocks && clocks->find("kvm-clock") != std::string::npos) return "kvm";
  return guest ? "unknown hypervisor" : "";
}

json collect(const Machine& machine) {
  json isolation = json::object();
  if (json found = containers(machine); !found.empty()) isolation["containers"] = std::move(found);
  set_field(isolation, "virtualisation", virtualisation(machine));
  return isolation;
}

AreaLines describe(const json& isolation) {
  AreaLines lines;
  if (const json* found = json_field(isolation, "containers")) {
    lines.emplace_back("container", json_line(*found));
  }
  if (const std::string name = json_string(isolation, "virtualisation"); !name.empty()) {
    lines.emplace_back("virtual machine", name);
  }
  return lines;
}

const AreaRegistration registered("isolation", {40, "Isolation", collect, describe});

}  // namespace

}  // namespace trainmark
