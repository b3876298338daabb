#include "data/making/subject.h"

#include <fmt/format.h>

#include <algorithm>

namespace trainmark::data {

int ItemSettings::classes() const {
  return number("classes", std::clamp<std::int64_t>(items / 10, 1, 1000));
}

std::string item_name(std::int64_t index) {
  return fmt::format("{:08}", index);
}

}  // namespace trainmark::data
