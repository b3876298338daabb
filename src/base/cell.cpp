#include "base/cell.h"

#include <fmt/format.h>

#include <charconv>

namespace trainmark {

namespace {

/// A positive number of at most five digits at the front of `text`, which is moved past it.
int take_number(std::string_view& text) {
  int number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || number < 1 || number > 99999) return 0;
  text.remove_prefix(static_cast<std::size_t>(end - text.data()));
  return number;
}

bool take_letter(std::string_view& text, char letter) {
  if (text.empty() || text.front() != letter) return false;
  text.remove_prefix(1);
  return true;
}

}  // namespace

std::string Scale::text() const {
  return fmt::format("{}n{}g", nodes, per_node);
}

std::optional<Scale> Scale::parse(std::string_view text) {
  Scale scale;
  scale.nodes = take_number(text);
  if (scale.nodes == 0 || !take_letter(text, 'n')) return std::nullopt;
  scale.per_node = take_number(text);
  if (scale.per_node == 0 || !take_letter(text, 'g') || !text.empty()) return std::nullopt;
  return scale;
}

const std::vector<std::string>& shape_names() {
  static const std::vector<std::string> names = {"resolution", "sequence", "classes",
                                                 "sample_rate"};
  return names;
}

std::string shape_text(double value) {
  return value == largest_shape ? "max" : fmt::format("{}", value);
}

std::string Cell::key() const {
  std::string batches = batch == largest_batch   ? "bmax"
                        : batch == unknown_batch ? "b?"
                        : at_most                ? fmt::format("bmax{}", batch)
                                                 : fmt::format("b{}", batch);
  if (accumulate == unknown_accumulate) {
    batches += "a?";
  } else if (accumulate != 1) {
    batches += fmt::format("a{}", accumulate);
  }
  return fmt::format("{}:{}/{}/{}/{}/{}/{}", workload, size_text(), framework, precision, batches,
                     device, scale.text());
}

std::string Cell::model_text() const {
  std::string text = size;
  for (const auto& [name, value] : shapes) text += fmt::format(",{}={}", name, shape_text(value));
  return text;
}

std::string Cell::size_text() const {
  std::string text = model_text();
  if (!data.empty()) text += ",data=" + data;
  if (!input.empty()) text += ",input=" + input;
  return text;
}

std::string Cell::searched() const {
  if (batch == largest_batch || at_most) return "batch";
  for (const auto& [name, value] : shapes)
    if (value == largest_shape) return name;
  return "";
}

std::string Cell::framework_name() const {
  return framework.substr(0, framework.find(':'));
}

std::string Cell::framework_mode() const {
  const auto colon = framework.find(':');
  return colon == std::string::npos ? "" : framework.substr(colon + 1);
}

}  // namespace trainmark
