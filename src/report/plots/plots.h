#pragma once

#include <string>
#include <string_view>

#include "report/content/result_groups.h"
#include "report/words/words.h"

namespace trainmark {

/// The hue that the page for browsers gives to a framework.
std::string_view framework_colour(const Cell& cell);

// The plots beside a Markdown report, each a whole SVG file. Empty where there is nothing to draw.

/// The frameworks of a workload by throughput, each at its fastest batch, with their intervals; at
/// the scale at which most were measured.
std::string ranking_plot(const WorkloadGroup& group, const PrecisionGroup& precision);

/// Throughput over the number of processes, with the ideal line of each framework.
std::string scaling_plot(const WorkloadGroup& group, const PrecisionGroup& precision,
                         Language language);
}  // namespace trainmark
