#pragma once

#include <fstream>
#include <map>
#include <string>
#include <vector>

#include "base/text.h"

namespace trainmark {

/// The rows of a CSV without quotes, by the names of its columns.
inline std::vector<std::map<std::string, std::string>> csv_rows(const std::string& path) {
  std::ifstream file(path);
  std::string line;
  std::getline(file, line);
  const std::vector<std::string> names = split(line, ',');
  std::vector<std::map<std::string, std::string>> rows;
  while (std::getline(file, line)) {
    const std::vector<std::string> fields = split(line, ',');
    auto& row = rows.emplace_back();
    for (std::size_t i = 0; i < names.size() && i < fields.size(); ++i) row[names[i]] = fields[i];
  }
  return rows;
}

}  // namespace trainmark
