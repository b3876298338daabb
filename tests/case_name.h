#pragma once

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cctype>
#include <string>

namespace trainmark {

/// The name of a case from how it prints (PrintTo): GoogleTest takes letters, digits and
/// underscores.
inline std::string case_name(const std::string& printed) {
  std::string name;
  for (const char letter : printed.substr(0, 60)) {
    const bool plain = std::isalnum(static_cast<unsigned char>(letter)) != 0;
    if (plain)
      name += letter;
    else if (!name.empty() && name.back() != '_')
      name += '_';
  }
  while (!name.empty() && name.back() == '_') name.pop_back();
  return name;
}

/// For INSTANTIATE_TEST_SUITE_P, where every case prints differently.
inline constexpr auto named_cases = [](const auto& test) {
  return case_name(testing::PrintToString(test.param));
};

/// Likewise, where some print alike.
inline constexpr auto numbered_cases = [](const auto& test) {
  return fmt::format("{}_{}", test.index, case_name(testing::PrintToString(test.param)));
};

}  // namespace trainmark
