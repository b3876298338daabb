#include "bench/estimate.h"

#include <fmt/format.h>

#include "base/text.h"

namespace trainmark {

namespace {

// Of a trainer that has never run here: between a second for C++ and half a minute for a compiler
// in Python.
constexpr double assumed_set_up = 5;  // seconds

}  // namespace

std::string Estimate::text() const {
  std::string text = "about " + duration_text(seconds);
  if (guessed == 0) return text;
  return text + fmt::format(" (assuming {:.0f} s of set-up for {} not run here before)",
                            assumed_set_up, guessed == cells ? "cells" : counted(guessed, "cell"));
}

std::optional<Estimate> estimate(const std::vector<PlannedCell>& cells, const Measuring& measuring,
                                 const SetUpHistory& history) {
  const auto cap = measuring.values.find("max_seconds");
  if (cap == measuring.values.end()) return std::nullopt;
  Estimate result;
  result.cells = cells.size();
  for (const PlannedCell& planned : cells) {
    const auto known = history.seconds(planned.cell);
    if (!known) ++result.guessed;
    result.seconds += measuring.rounds * (known.value_or(assumed_set_up) + cap->second);
  }
  return result;
}

int rounds_within(double seconds, const std::vector<PlannedCell>& cells, Measuring measuring,
                  const SetUpHistory& history) {
  const auto too_long = [&] {
    const auto expected = estimate(cells, measuring, history);
    return expected && expected->seconds > seconds;
  };
  while (measuring.rounds > 1 && too_long()) --measuring.rounds;
  return measuring.rounds;
}

}  // namespace trainmark
