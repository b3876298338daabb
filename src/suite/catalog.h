#pragma once

#include <string>
#include <vector>

#include "protocol/description.h"

namespace trainmark {

/// A framework that suites can name.
struct FrameworkOffer {
  std::string name;
  std::string title;
  std::vector<std::string> program;  // the start of every command
  std::string missing;               // why it cannot be used on this machine; empty where it can
  std::string setup;                 // the command that would install it
  Description description;           // what its program says that it can do
  bool foreign = false;              // a suite's own command, measured from what it prints
  bool elsewhere = false;  // its cells are planned to be shown: they may be for other machines

  const WorkloadDescription* find(const std::string& workload) const;
  const DeviceDescription* device(const std::string& name) const;
};

struct Catalog {
  std::vector<FrameworkOffer> frameworks;

  const FrameworkOffer* find(const std::string& framework) const;
  std::vector<std::string> framework_names() const;
  std::vector<std::string> workload_names() const;
  std::vector<std::string> size_names() const;
};

/// A framework's own file, frameworks/NAME/framework.yaml: title, program, setup.
FrameworkOffer parse_framework_file(const std::string& text, const std::string& file);

}  // namespace trainmark
