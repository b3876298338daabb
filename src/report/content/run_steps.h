#pragma once

#include <filesystem>
#include <vector>

#include "base/step.h"
#include "journal/record.h"

namespace trainmark {

/// The steps of a run's job, from the events that lie beside the journal in `folder`. None where
/// they are gone, where they were never there (figures from logs of other programs), or where the
/// record points to a place outside of the journal: journals come from others, too.
std::vector<Step> steps_of(const std::filesystem::path& folder, const RunRecord& run);

}  // namespace trainmark
