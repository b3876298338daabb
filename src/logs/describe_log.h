#pragma once

#include <span>

#include "logs/figure.h"

namespace trainmark {

/// Fills in what is known of the job (GPUs, batch, precision, …) from the user and from a run's own
/// words, and where each comes from. Where the two differ, the user is believed and a verdict says
/// so.
void describe_job(LogFigure& figure, const Facts& facts, const Dialect& dialect,
                  const GivenFacts& given);

/// What makes the whole job's rate of a printed one; 1, with a verdict, where it is not known.
double job_factor(LogFigure& figure);

/// The items of one step in the scope of the dialect's records, by the header or the user; NaN
/// where they are not known.
double items_of_step(LogFigure& figure, const Facts& facts, const Dialect& dialect,
                     const GivenFacts& given);

/// Does it say how long its steps take, and neither rates nor items? What can be counted is steps
/// then. Means since the epoch began are no times of steps.
bool prints_times_only(std::span<const Record> records, const Dialect& dialect);

/// The run that the figure is made from: one that fits what the user says, and of those the last,
/// unless it is a fragment beside the longest; for dialects that count nearly all records, the one
/// with most.
std::size_t choose_run(const LogContents& contents, const GivenFacts& given);

}  // namespace trainmark
