#include <memory>

#include "logs/grammar/json_line.h"
#include "protocol/event_reader.h"

// The events of Trainmark's own trainers (docs/protocol.md), as they lie in runs/ID/events.jsonl.

namespace trainmark {

namespace {

bool read(Cursor& line, Record& record) {
  record.begin = static_cast<std::uint32_t>(line.place());
  const std::string_view object = take_object_text(line);
  if (object.empty()) return false;
  const auto step = read_step(object);
  if (!step || step->seconds == 0) return false;
  record.seconds = step->seconds;
  record.items = step->items;
  record.stamp = step->end;
  if (step->index >= 0) record.step = step->index;
  record.loss = step->loss;
  record.has_loss = step->has_loss;
  return true;
}

/// Evaluations of a training to quality.
QualityReader make_quality_reader() {
  return
      [reader = std::make_shared<EventReader>()](std::string_view text, const QualityKeeper& keep) {
        if (text.find("\"evaluation\"") == std::string_view::npos &&
            text.find("\"start\"") == std::string_view::npos)
          return;
        const std::size_t before = reader->evaluations().size();
        reader->feed(std::string(text) + "\n");
        if (reader->quality_task() && reader->quality_task()->target)
          keep("target", *reader->quality_task()->target);
        if (reader->evaluations().size() == before) return;
        const Evaluation& last = reader->evaluations().back();
        keep("quality", last.quality);
        keep("samples", last.samples);
        if (last.loss) keep("eval_loss", *last.loss);
      };
}

const Registration<Dialect> registered(
    "trainmark",
    {.summary = "the events of Trainmark's own trainers",
     .sample = R"({"event":"step","step":20,"end":10.5,"seconds":0.5,"items":8,"loss":6.9})",
     .scope = Scope::rank,
     .unit = "items/s",
     .field = "items",
     .quality_reader = make_quality_reader,
     .reader = stateless(read)});

}  // namespace

}  // namespace trainmark
