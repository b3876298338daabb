#include "report/plots/plot_names.h"

#include <fmt/format.h>

namespace trainmark {

std::string PlotNames::add(const std::string& name, const std::string& svg) {
  const std::string plain = plain_name(name, "plot");
  const std::string folder = plain_name(folder_, "plots");
  std::string path = fmt::format("{}/{}.svg", folder, plain);
  for (int copy = 2; plots_.contains(path); ++copy)
    path = fmt::format("{}/{}-{}.svg", folder, plain, copy);
  plots_[path] = svg;
  return path;
}

std::string plain_name(std::string_view text, const char* otherwise) {
  std::string name;
  for (const char letter : text.substr(0, 80)) {
    const bool plain = (letter >= 'a' && letter <= 'z') || (letter >= 'A' && letter <= 'Z') ||
                       (letter >= '0' && letter <= '9') || letter == '-' || letter == '_' ||
                       letter == '.';
    name += plain ? letter : '-';
  }
  return name.empty() || name.starts_with('.') ? otherwise : name;
}

}  // namespace trainmark
