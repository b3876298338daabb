#pragma once

#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "base/cell.h"
#include "journal/results.h"

namespace trainmark {

/// How long trainers took to set up in earlier runs: all that a run took beside its steps. Starting
/// a program of C++ takes a second, and compiling a model in Python half a minute.
class SetUpHistory {
 public:
  /// The runs of a journal that were done on this machine, as `environment` describes it.
  void add(const JournalContents& contents, const nlohmann::json& environment);

  /// The median for the same workload, size and framework, else for the framework. Nothing where
  /// it has never run here.
  std::optional<double> seconds(const Cell& cell) const;

 private:
  std::map<std::string, std::vector<double>> seconds_;  // by workload, size and framework, or by
                                                        // framework alone
};

/// From the newest few journals below a folder. What cannot be read is left out.
SetUpHistory read_set_up_history(const std::filesystem::path& results,
                                 const nlohmann::json& environment);

}  // namespace trainmark
