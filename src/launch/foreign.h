#pragma once

#include <filesystem>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "launch/in_container.h"
#include "launch/launcher.h"

namespace trainmark {

/// A command that was not written for Trainmark: started once on this machine, whatever the scale
/// and the launcher. Its ranks, threads and cores are its own affair, and it finds nothing of ours
/// in its environment.
struct ForeignRequest {
  std::vector<std::string> command;
  std::map<std::string, std::string> variables;  // added to the environment
  std::filesystem::path folder = {};             // where it starts; empty: ours
  KeptContainers containers = {};
};

LaunchPlan plan_foreign(const ForeignRequest& request);
std::unique_ptr<Processes> start_foreign(const ForeignRequest& request, StreamSink sink);

}  // namespace trainmark
