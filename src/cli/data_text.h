#pragma once

#include <string>

#include "data/making/check.h"
#include "data/making/describe.h"

namespace trainmark {

/// What `data check` found, for people.
std::string checked_text(const std::string& path, const data::CheckedDataSet& checked);

/// The same for programs.
std::string checked_json(const std::string& path, const data::CheckedDataSet& checked);

/// What `data show` says.
std::string description_text(const std::string& path, const data::DataSet& set,
                             const data::DataSetDescription& description);

}  // namespace trainmark
