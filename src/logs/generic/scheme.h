#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "logs/generic/pace.h"
#include "logs/grammar/confidence.h"

namespace trainmark {

/// How the lines of a log are to be read, as it was learned from them.
struct LogScheme {
  // Identities of fields (LineField); 0 where there is none.
  std::uint64_t lead = 0;  // of the counter
  std::uint64_t counter = 0;
  std::uint64_t total = 0;
  std::uint64_t epoch = 0;
  std::uint64_t rate = 0;
  bool rate_is_item_seconds = false;  // its field holds seconds per item
  std::uint64_t time = 0;
  std::uint64_t wall = 0;  // the line's own clock or stamp
  bool wall_is_milliseconds = false;
  bool by_arrival = false;  // from arrival times
  PaceRules rules;
  bool counts_epochs = false;   // a step is an epoch
  bool counts_samples = false;  // the counter counts samples, and not steps
  bool counts_items = false;    // so does a bar that shows a rate of items
  bool counts_micro_steps = false;
  bool rate_of_device = false;  // the rate's name says so
  bool of_table = false;        // its lines are rows, named by the table's heading

  std::string unit = "steps/s";  // of the figure, where no batch is given
  std::string needle;            // what every such line has; empty: nothing
  std::string first_line;        // of these lines, for people

  // For people.
  std::string counter_name, rate_name, time_name, wall_name;
  Confidence confidence = Confidence::low;
  std::vector<std::string> reasons;  // for the confidence
  std::size_t records = 0;           // that it was learned from
  double agreement = not_known;      // time by the lines ÷ time by their moments
  double score = 0;

  bool operator==(const LogScheme& other) const {
    return lead == other.lead && counter == other.counter && rate == other.rate &&
           time == other.time && wall == other.wall && rules.time == other.rules.time &&
           rules.rate_is_pass_mean == other.rules.rate_is_pass_mean && epoch == other.epoch &&
           rules.zero_based == other.rules.zero_based &&
           rules.full_passes == other.rules.full_passes && rules.parts == other.rules.parts &&
           rules.sum_restarts == other.rules.sum_restarts && by_arrival == other.by_arrival;
  }
};

}  // namespace trainmark
