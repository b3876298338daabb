#pragma once

#include <iosfwd>
#include <nlohmann/json_fwd.hpp>

#include "report/content/environment_differences.h"
#include "report/content/report.h"

namespace trainmark {

/// Writes what the page in src/report/html shows, as one JSON object that is safe inside a
/// `<script>`: the journal's figures, formatted as in all other reports, and thinned step traces.
void write_html_data(const ReportInput& input, std::ostream& out);

/// A page that shows something else than one journal: `name` is its part of the data object.
void write_html_view(const std::string& name, const nlohmann::json& view, const std::string& title,
                     Language language, std::ostream& out);

/// What differs in the environment, for such a page.
nlohmann::json html_differences(const std::vector<EnvironmentDifference>& differences);

}  // namespace trainmark
