#include "environ/conditions/limits.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/json_fields.h"
#include "base/verdict_names.h"

namespace trainmark {

namespace {

// Of one core. On many cores, of all of them: the kernel counts cores by sampling and processes
// exactly, and the two differ by a little on every core.
constexpr double other_of_a_core = 0.05;
constexpr double other_of_all = 0.01;
constexpr double least_other_seconds = 0.1;  // ten ticks of the kernel's clock
constexpr double stolen_limit = 0.01;
constexpr double swap_limit = 1 << 20;  // bytes
constexpr double clock_limit = 0.9;     // of the reference
constexpr int least_clock_samples = 3;
constexpr double held_back_limit = 0.05;  // of the periods

bool scales(const std::string& governor) {
  return governor == "powersave" || governor == "ondemand" || governor == "conservative" ||
         governor == "schedutil";
}

void add_throttling(const ConditionFigures& figures, Verdicts& verdicts) {
  if (figures.cores_throttled_by_heat > 0) {
    verdicts.push_back(
        {verdicts::throttled, fmt::format("{} of {} cores were slowed down by heat",
                                          figures.cores_throttled_by_heat, figures.cores)});
  }
  if (figures.held_back_share > held_back_limit) {
    verdicts.push_back(
        {verdicts::throttled,
         fmt::format("the CPU limit of the control group held the processes back in {:.0f} % of "
                     "its periods",
                     100 * figures.held_back_share)});
  }
  if (figures.clock_samples < least_clock_samples || figures.reference_mhz <= 0) return;
  if (figures.clock_mhz >= clock_limit * figures.reference_mhz) return;
  verdicts.push_back(
      {verdicts::throttled,
       fmt::format("busy cores ran at {:.0f} MHz, {:.0f} % of their nominal {:.0f} MHz",
                   figures.clock_mhz, 100 * figures.clock_mhz / figures.reference_mhz,
                   figures.reference_mhz)});
}

}  // namespace

Verdicts condition_verdicts(const ConditionFigures& figures) {
  Verdicts verdicts;
  add_throttling(figures, verdicts);
  if (figures.other_cores > std::max(other_of_a_core, other_of_all * figures.cores) &&
      figures.other_cores * figures.seconds > least_other_seconds) {
    verdicts.push_back({verdicts::other_load,
                        fmt::format("other processes used {:.2f} of the {} cores of this run",
                                    figures.other_cores, figures.cores)});
  }
  if (figures.stolen_share > stolen_limit) {
    verdicts.push_back({verdicts::stolen_time,
                        fmt::format("the host gave {:.1f} % of these cores' time to other guests",
                                    100 * figures.stolen_share)});
  }
  if (figures.swapped_bytes > swap_limit) {
    verdicts.push_back({verdicts::swapping,
                        fmt::format("the machine swapped {}", bytes_text(figures.swapped_bytes))});
  }
  if (scales(figures.governor)) {
    verdicts.push_back(
        {verdicts::frequency_scaling,
         fmt::format("the CPU frequency governor is '{}'; 'performance' gives steadier results",
                     figures.governor)});
  }
  return verdicts;
}

}  // namespace trainmark
