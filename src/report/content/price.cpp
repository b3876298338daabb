#include "report/content/price.h"

#include <fmt/format.h>

#include <charconv>
#include <cmath>

#include "base/error.h"
#include "base/text.h"

namespace trainmark {

namespace {

constexpr double most_money = 1e9;
constexpr std::string_view of_node_ending = "/node";

}  // namespace

Price parse_price(const std::string& text) {
  Price price;
  std::string_view number = text;
  price.of_node = number.ends_with(of_node_ending);
  if (price.of_node) number.remove_suffix(of_node_ending.size());
  const auto [end, error] =
      std::from_chars(number.data(), number.data() + number.size(), price.per_hour);
  const bool whole = error == std::errc() && end == number.data() + number.size();
  if (!whole || !(price.per_hour > 0) || price.per_hour > most_money) {
    throw UserError(
        fmt::format("--price-per-hour {}: write what an hour of one device costs, such as 2.49, or "
                    "of a whole node: 19.92/node",
                    printable(text)));
  }
  return price;
}

std::optional<double> cost_of_million(const Result& result, const std::optional<Price>& price) {
  if (!price || result.runs.empty() || !(result.throughput.value > 0)) return std::nullopt;
  const Scale& scale = result.cell.scale;
  const double per_second = price->per_hour * (price->of_node ? scale.nodes : scale.ranks()) / 3600;
  return 1e6 * per_second / result.throughput.value;
}

std::string cost_text(const Result& result, const std::optional<Price>& price) {
  const auto cost = cost_of_million(result, price);
  return cost ? figure(*cost) : "-";
}

}  // namespace trainmark
