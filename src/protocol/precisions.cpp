#include "protocol/precisions.h"

#include <yaml-cpp/yaml.h>

#include <cmath>
#include <map>

#include "embedded/precisions.h"

namespace trainmark {

namespace {

YAML::Node declared() {
  return YAML::Load(std::string(embedded::precisions));
}

}  // namespace

const std::vector<std::string>& known_precisions() {
  static const auto all = [] {
    std::vector<std::string> names;
    for (const auto& entry : declared()) names.push_back(entry.first.as<std::string>());
    return names;
  }();
  return all;
}

double rounding_unit(const std::string& precision) {
  static const auto bits = declared().as<std::map<std::string, int>>();
  return std::ldexp(1.0, -bits.at(precision));
}

bool has_few_bits(const std::string& precision) {
  return rounding_unit(precision) > 1e-6;
}

}  // namespace trainmark
