// Kernel and distribution.

#include <sys/utsname.h>

#include "base/json_fields.h"
#include "base/text.h"
#include "environ/machine/area.h"

namespace trainmark {

using nlohmann::json;

namespace {

/// A value of an os-release file: NAME=value or NAME="value".
std::string release_value(std::string_view text, std::string_view name) {
  for (const std::string& line : split(text, '\n')) {
    const auto equals = line.find('=');
    if (equals == std::string::npos || trim(line.substr(0, equals)) != name) continue;
    std::string_view value = trim(std::string_view(line).substr(equals + 1));
    if (value.size() >= 2 && (value.front() == '"' || value.front() == '\'') &&
        value.back() == value.front()) {
      value = value.substr(1, value.size() - 2);
    }
    return printable(value);
  }
  return "";
}

std::string distribution(const SystemFiles& files) {
  auto release = files.text("/etc/os-release", 64 << 10);
  if (!release) release = files.text("/usr/lib/os-release", 64 << 10);
  const std::string pretty = release_value(release.value_or(""), "PRETTY_NAME");
  return pretty.empty() ? release_value(release.value_or(""), "NAME") : pretty;
}

json collect(const Machine& machine) {
  const SystemFiles& files = machine.files;
  json system = json::object();
  set_field(system, "kernel",
            printable(files.text("/proc/sys/kernel/osrelease", 256).value_or("")));
  set_field(system, "distribution", distribution(files));
  utsname names = {};
  if (::uname(&names) == 0) set_field(system, "architecture", printable(names.machine));
  const std::string host = printable(files.text("/proc/sys/kernel/hostname", 256).value_or(""));
  if (!host.empty()) system["instance"]["hostname"] = host;
  return system;
}

AreaLines describe(const json& system) {
  AreaLines lines;
  for (const char* key : {"distribution", "kernel", "architecture"}) {
    if (const std::string value = json_string(system, key); !value.empty()) {
      lines.emplace_back(key, value);
    }
  }
  if (const json* instance = json_field(system, "instance")) {
    if (const std::string host = json_string(*instance, "hostname"); !host.empty()) {
      lines.emplace_back("host", host);
    }
  }
  return lines;
}

const AreaRegistration registered("system", {30, "System", collect, describe});

}  // namespace

}  // namespace trainmark
