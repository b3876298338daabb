#include "protocol/event_reader.h"

#include <fmt/format.h>
#include <simdjson.h>

#include <cmath>
#include <limits>
#include <stdexcept>

#include "base/json_fields.h"
#include "base/text.h"
#include "protocol/quality_events.h"

// Nearly all lines are steps, and there may be tens of millions of them: simdjson reads those that
// are as they should be. Whatever is not goes the slow way, which takes everything that is JSON and
// can say what is wrong with it.

namespace trainmark {

namespace {

constexpr unsigned needed = 0b11111;  // event, step, end, seconds, items

/// False where it is another event, or not a step as the protocol has it.
bool read_fields(const simdjson::dom::object& event, Step& step) {
  unsigned found = 0;
  for (const auto [name, value] : event) {
    simdjson::error_code error = simdjson::SUCCESS;
    if (name == "event") {
      std::string_view kind;
      if (value.get(kind) != simdjson::SUCCESS || kind != "step") return false;
      found |= 1U;
    } else if (name == "step") {
      error = value.get(step.index);
      found |= 2U;
    } else if (name == "end") {
      error = value.get(step.end);
      found |= 4U;
    } else if (name == "seconds") {
      error = value.get(step.seconds);
      found |= 8U;
    } else if (name == "items") {
      error = value.get(step.items);
      found |= 16U;
    } else if (name == "loss") {
      step.has_loss = true;  // null stands for NaN or infinity
      if (value.get(step.loss) != simdjson::SUCCESS) {
        step.loss = std::numeric_limits<double>::quiet_NaN();
      }
    } else if (name == "communication") {
      error = value.get(step.communication);
    } else if (name == "exposed") {
      error = value.get(step.exposed);
    } else if (name == "data") {
      error = value.get(step.input);
    }
    if (error != simdjson::SUCCESS) return false;
  }
  return found == needed;
}

bool is_possible(const Step& step) {
  return step.seconds >= 0 && step.seconds <= largest_figure && step.items > 0 &&
         step.items <= largest_figure && !(step.communication < 0) && !(step.exposed < 0) &&
         !(step.input < 0);
}

/// Whether a line that is not a step may tell that the clock of the steps stands still, without the
/// effort that a line of any other kind would take.
bool may_stop_the_clock(std::string_view line) {
  constexpr std::size_t longest = 1000;
  return line.size() <= longest && (line.find("\"pause\"") != std::string_view::npos ||
                                    line.find("\"evaluation\"") != std::string_view::npos);
}

double finite_number(const nlohmann::json& json, const char* name) {
  const double value = json.at(name).get<double>();
  if (!std::isfinite(value)) throw std::invalid_argument(fmt::format("'{}' is not finite", name));
  return value;
}

}  // namespace

std::optional<Step> read_step(std::string_view line, std::size_t readable) {
  thread_local simdjson::dom::parser parser;
  const bool copy = readable < line.size() + simdjson::SIMDJSON_PADDING;
  simdjson::dom::object event;
  if (parser.parse(line.data(), line.size(), copy).get(event) != simdjson::SUCCESS) {
    return std::nullopt;
  }
  Step step;
  if (!read_fields(event, step) || !is_possible(step)) return std::nullopt;
  return step;
}

std::vector<Step> read_steps(std::string_view events) {
  EventReader reader(EventPolicy::lenient);
  reader.feed(events);
  reader.finish();
  return std::move(reader).steps();
}

void EventReader::feed(std::string_view bytes) {
  while (!bytes.empty()) {
    const std::size_t end = bytes.find('\n');
    const std::string_view piece = bytes.substr(0, end);
    if (skipping_) {
      // The rest of a line that was already found too long.
    } else if (pending_.size() + piece.size() > longest_event_line) {
      set_fault(
          fmt::format("event line {} is longer than {} bytes", lines_ + 1, longest_event_line));
      pending_.clear();
      skipping_ = true;
    } else if (end == std::string_view::npos) {
      pending_ += piece;
    } else if (pending_.empty()) {
      line(piece, bytes.size());
    } else {
      pending_ += piece;
      line(pending_, pending_.size());
      pending_.clear();
    }
    if (end == std::string_view::npos) return;
    if (skipping_) ++lines_;
    skipping_ = false;
    bytes.remove_prefix(end + 1);
  }
}

void EventReader::finish() {
  if (pending_.empty()) return;
  if (policy_ == EventPolicy::lenient) line(pending_, pending_.size());
  set_fault(fmt::format("event line {} is torn: '{}'", lines_ + 1, printable(pending_, 80)));
  pending_.clear();
}

void EventReader::set_fault(const std::string& what) {
  if (policy_ == EventPolicy::strict && fault_.empty()) fault_ = what;
}

void EventReader::line(std::string_view text, std::size_t readable) {
  ++lines_;
  auto step = read_step(text, readable);
  if (step) step->end -= paused_seconds_;
  if (step && follows(*step)) {
    add(*step);
  } else if (policy_ == EventPolicy::strict && !trim(text).empty()) {
    take_or_blame(text);
  } else if (may_stop_the_clock(text)) {
    pass_over(text);
  }
}

void EventReader::pass_over(std::string_view text) {
  try {
    const auto json = nlohmann::json::parse(text);
    const auto& name = json.at("event").get_ref<const std::string&>();
    if (name == "pause") note_hold();
    if (name == "evaluation") evaluation(json);
  } catch (const nlohmann::json::exception&) {
  } catch (const std::invalid_argument&) {
  }
}

void EventReader::add(const Step& step) {
  if (!std::exchange(first_after_pause_, false)) {
    steps_.push_back(step);
  } else if (!steps_.empty()) {
    paused_seconds_ += step.end - steps_.back().end;
  }
}

bool EventReader::follows(const Step& step) const {
  if (steps_.empty()) return true;
  return step.end >= steps_.back().end && step.index > steps_.back().index &&
         steps_.size() < most_steps;
}

void EventReader::take_or_blame(std::string_view text) {
  try {
    event(nlohmann::json::parse(text));
  } catch (const nlohmann::json::exception&) {
    set_fault(fmt::format("event line {} cannot be read: '{}'", lines_, printable(text, 80)));
  } catch (const std::invalid_argument& error) {
    set_fault(fmt::format("event line {}: {}", lines_, error.what()));
  }
}

void EventReader::event(const nlohmann::json& json) {
  const auto& name = json.at("event").get_ref<const std::string&>();
  if (name == "step") {
    step(json);
  } else if (name == "start") {
    start(json);
  } else if (name == "memory") {
    if (json.contains("peak_host_bytes")) peak_host_bytes_ = finite_number(json, "peak_host_bytes");
    if (json.contains("peak_device_bytes")) {
      peak_device_bytes_ = finite_number(json, "peak_device_bytes");
    }
  } else if (name == "failure") {
    failure_ = {printable(json.at("kind").get<std::string>(), 40),
                printable(json.value("message", std::string()), 1000)};
  } else if (name == "evaluation") {
    evaluation(json);
  } else if (name == "checkpoint") {
    if (checkpoints_.size() < most_evaluations) checkpoints_.push_back(read_checkpoint(json));
  } else if (name == "pause") {
    ++pauses_;
    note_hold();
  } else if (name == "end") {
    ended_ = true;
  }
}

void EventReader::start(nlohmann::json json) {
  json.erase("event");
  start_ = std::move(json);
  if (const auto quality = start_.find("quality"); quality != start_.end())
    quality_task_ = read_quality_task(*quality);
}

void EventReader::evaluation(const nlohmann::json& json) {
  Evaluation told = read_evaluation(json);
  double seconds = told.seconds;
  told.at -= paused_seconds_;
  if (!steps_.empty() && told.at < steps_.back().end) {
    // Clocks of devices and hosts differ a little: what a step has told already is no pause.
    seconds -= steps_.back().end - told.at;
    if (seconds < 0)
      throw std::invalid_argument("an evaluation ends before the step that it follows");
    told.at = steps_.back().end;
  }
  if (!evaluations_.empty() &&
      (told.at < evaluations_.back().at || told.samples < evaluations_.back().samples))
    throw std::invalid_argument(
        fmt::format("the evaluation at step {} does not come after that at step {}", told.step,
                    evaluations_.back().step));
  if (evaluations_.size() >= most_evaluations)
    throw std::invalid_argument(fmt::format("more than {} evaluations", most_evaluations));
  paused_seconds_ += seconds;
  evaluations_.push_back(told);
}

void EventReader::step(const nlohmann::json& json) {
  Step step;
  step.index = whole_number(json, "step");
  step.end = finite_number(json, "end") - paused_seconds_;
  step.seconds = finite_number(json, "seconds");
  step.items = finite_number(json, "items");
  if (const auto loss = json.find("loss"); loss != json.end()) {
    step.has_loss = true;  // null stands for NaN or infinity
    if (loss->is_number()) step.loss = loss->get<double>();
  }
  if (json.contains("communication")) step.communication = finite_number(json, "communication");
  if (json.contains("exposed")) step.exposed = finite_number(json, "exposed");
  if (json.contains("data")) step.input = finite_number(json, "data");
  if (step.communication < 0 || step.exposed < 0 || step.input < 0) {
    throw std::invalid_argument("'communication', 'exposed' and 'data' must be seconds, 0 or more");
  }
  if (step.seconds < 0 || step.items <= 0) {
    throw std::invalid_argument("a step needs seconds of 0 or more and more than 0 items");
  }
  if (step.seconds > largest_figure || step.items > largest_figure) {
    throw std::invalid_argument(
        fmt::format("a step cannot have more than {:g} seconds or items", largest_figure));
  }
  if (!steps_.empty() && (step.end < steps_.back().end || step.index <= steps_.back().index)) {
    throw std::invalid_argument(
        fmt::format("step {} does not come after step {}", step.index, steps_.back().index));
  }
  if (steps_.size() >= most_steps) {
    throw std::invalid_argument(fmt::format("more than {} steps", most_steps));
  }
  add(step);
}

}  // namespace trainmark
