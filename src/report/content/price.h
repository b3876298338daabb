#pragma once

#include <optional>
#include <string>

#include "journal/results.h"

namespace trainmark {

/// What an hour of the machine costs, in whatever money.
struct Price {
  double per_hour = 0;
  bool of_node = false;  // of a whole node; else of each process with its device
};

/// "2.49", or "19.92/node". Throws UserError, naming the option, for anything else.
Price parse_price(const std::string& text);

/// What a million items cost at the measured throughput; nothing where there is none.
std::optional<double> cost_of_million(const Result& result, const std::optional<Price>& price);

std::string cost_text(const Result& result, const std::optional<Price>& price);  // "0.0912"

}  // namespace trainmark
