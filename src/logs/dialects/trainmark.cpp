#include <cmath>

#include "logs/grammar/json_line.h"

// The events of Trainmark's own trainers (docs/protocol.md), as they lie in runs/ID/events.jsonl.

namespace trainmark {

namespace {

bool read(Cursor& line, Record& record) {
  if (!line.rest().starts_with("{")) return false;
  record.begin = static_cast<std::uint32_t>(line.place());
  const auto object = take_object(line);
  if (!object || text_in(*object, "event") != "step") return false;
  record.seconds = number_in(*object, "seconds");
  record.items = number_in(*object, "items");
  record.stamp = number_in(*object, "end");
  const double index = number_in(*object, "step");
  if (index >= 0 && index < 1e15) record.step = static_cast<std::int64_t>(index);
  if (record.seconds > 0) record.rate = record.items / record.seconds;
  if (object->contains("loss")) {
    record.loss = number_in(*object, "loss");
    record.has_loss = true;
  }
  return record.seconds > 0 && record.items > 0;
}

const Registration<Dialect> registered(
    "trainmark",
    {.summary = "the events of Trainmark's own trainers",
     .sample = R"({"event":"step","step":20,"end":10.5,"seconds":0.5,"items":8,"loss":6.9})",
     .scope = Scope::rank,
     .unit = "items/s",
     .field = "items",
     .reader = stateless(read)});

}  // namespace

}  // namespace trainmark
