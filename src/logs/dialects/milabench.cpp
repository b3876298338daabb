#include <cmath>

#include "logs/grammar/json_line.h"

// milabench's data lines; a process prints its own rate.

namespace trainmark {

namespace {

bool read(Cursor& line, Record& record) {
  const std::size_t found = line.find("{\"event\"");
  if (found == std::string_view::npos) return false;
  record.begin = static_cast<std::uint32_t>(found);
  line.move_to(found);
  const auto object = take_object(line);
  if (!object || text_in(*object, "event") != "data") return false;
  const nlohmann::json& data = object_in(*object, "data");
  if (text_in(data, "task") != "train") return false;
  if (data.contains("loss")) {
    record.loss = number_in(data, "loss");
    record.has_loss = true;
  }
  record.rate = number_in(data, "rate");
  return !std::isnan(record.rate);
}

const Registration<Dialect> registered(
    "milabench", {.summary = "milabench",
                  .sample = R"({"event": "data", "data": {"task": "train", "rate": 8000.5, )"
                            R"("units": "items/s"}, "pipe": "data"})",
                  .scope = Scope::rank,
                  .unit = "items/s",
                  .field = "rate",
                  .reader = stateless(read)});

}  // namespace

}  // namespace trainmark
