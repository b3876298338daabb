#pragma once

#include <map>
#include <string>

namespace trainmark {

/// Plots that a report asks for, with file names that are plain and differ.
class PlotNames {
 public:
  explicit PlotNames(std::string folder) : folder_(std::move(folder)) {}

  /// The plot's path from the report: "report-plots/ranking-resnet50.svg".
  std::string add(const std::string& name, const std::string& svg);

  const std::map<std::string, std::string>& all() const { return plots_; }

 private:
  std::string folder_;
  std::map<std::string, std::string> plots_;  // by path
};

/// Any text as a part of a path: letters, digits, '-', '_' and '.', at most 80 of them.
std::string plain_name(std::string_view text, const char* otherwise);

}  // namespace trainmark
