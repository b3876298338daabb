#include <nlohmann/json.hpp>
#include <ostream>

#include "report/extraction/extraction.h"

namespace trainmark {

namespace {

using Json = nlohmann::json;

void write(const Extraction& extraction, const ReportOptions&, std::ostream& out) {
  Json passed_over = Json::array();
  for (const PassedOver& other : extraction.passed_over)
    passed_over.push_back(
        {{"file", other.file}, {"kind", text(other.kind, 0)}, {"why", other.why}});
  const Json json = {{"schema", 1},
                     {"logs", extraction.figures},
                     {"scaling", scaling_json(extraction.cases)},
                     {"passed_over", passed_over}};
  // File names are bytes, and JSON is UTF-8.
  out << json.dump(2, ' ', false, Json::error_handler_t::replace) << '\n';
}

const Registration<ExtractionFormat> registered("json", {"everything, for programs", write});

}  // namespace

}  // namespace trainmark
