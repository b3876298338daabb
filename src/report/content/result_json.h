#pragma once

#include <nlohmann/json.hpp>

#include "journal/results.h"

namespace trainmark {

/// All that a result holds, as docs/schema/report.schema.json has it. With `with_runs`, the records
/// of its runs, too.
nlohmann::json result_json(const Result& result, bool with_runs);

/// Records carry their schema and type in a journal; where the place says both, they go.
nlohmann::json bare_record(nlohmann::json record);

/// As text: figures that do not exist are null, broken UTF-8 is replaced.
std::string json_text(const nlohmann::json& json, int indent = -1);

}  // namespace trainmark
