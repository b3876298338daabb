#include "protocol/event_lines.h"

#include <fmt/compile.h>
#include <fmt/format.h>

#include <cmath>
#include <iterator>
#include <nlohmann/json.hpp>

namespace trainmark {

namespace {

constexpr std::size_t longest_message = 8 * 1024;  // bytes; with its escapes, a line holds it

/// A time in whole nanoseconds. Written as "8.123456789", which is exact and several times faster
/// than formatting a double.
struct Nanoseconds {
  std::int64_t count;
};

template <class Out>
Out write_number(Out out, Nanoseconds time) {
  constexpr std::int64_t second = 1'000'000'000;
  return fmt::format_to(out, FMT_COMPILE("{}.{:09}"), time.count / second, time.count % second);
}

template <class Out>
Out write_number(Out out, std::int64_t number) {
  return fmt::format_to(out, FMT_COMPILE("{}"), number);
}

/// JSON has neither NaN nor infinity.
template <class Out, std::floating_point Number>
Out write_number(Out out, Number number) {
  return std::isfinite(number) ? fmt::format_to(out, FMT_COMPILE("{}"), number)
                               : fmt::format_to(out, FMT_COMPILE("null"));
}

/// The fields that every step has; more may follow.
template <class Out, class Time, class Count>
Out begin_step(Out out, std::int64_t index, Time end, Time seconds, Count items) {
  out = fmt::format_to(out, FMT_COMPILE(R"({{"event":"step","step":{},"end":)"), index);
  out = write_number(out, end);
  out = fmt::format_to(out, FMT_COMPILE(R"(,"seconds":)"));
  out = write_number(out, seconds);
  out = fmt::format_to(out, FMT_COMPILE(R"(,"items":)"));
  return write_number(out, items);
}

template <class Out, class Number>
Out write_loss(Out out, Number loss) {
  return write_number(fmt::format_to(out, FMT_COMPILE(R"(,"loss":)")), loss);
}

template <class Out>
Out end_step(Out out) {
  *out++ = '}';
  *out++ = '\n';
  return out;
}

double seconds_of(std::int64_t ns) {
  return static_cast<double>(ns) * 1e-9;
}

nlohmann::json number_or_null(double number) {
  return std::isfinite(number) ? nlohmann::json(number) : nlohmann::json(nullptr);
}

}  // namespace

char* write_step(char* out, const StepEvent& step) {
  out = begin_step(out, step.index, Nanoseconds{step.end_ns}, Nanoseconds{step.duration_ns},
                   step.items);
  if (step.loss) out = write_loss(out, *step.loss);
  if (step.communication_ns) {
    out = fmt::format_to(out, FMT_COMPILE(R"(,"communication":)"));
    out = write_number(out, Nanoseconds{*step.communication_ns});
  }
  if (step.exposed_ns) {
    out = fmt::format_to(out, FMT_COMPILE(R"(,"exposed":)"));
    out = write_number(out, Nanoseconds{*step.exposed_ns});
  }
  if (step.data_ns) {
    out = fmt::format_to(out, FMT_COMPILE(R"(,"data":)"));
    out = write_number(out, Nanoseconds{*step.data_ns});
  }
  return end_step(out);
}

std::string step_line(const Step& step, double arrival) {
  std::string line;
  auto out = begin_step(std::back_inserter(line), step.index, step.end, step.seconds, step.items);
  if (step.has_loss) out = write_loss(out, step.loss);
  if (std::isfinite(arrival)) {
    out = write_number(fmt::format_to(out, FMT_COMPILE(R"(,"arrival":)")), arrival);
  }
  end_step(out);
  return line;
}

nlohmann::json start_event(nlohmann::json fields) {
  fields["event"] = "start";
  return fields;
}

nlohmann::json memory_event(std::int64_t peak_host_bytes,
                            std::optional<std::int64_t> peak_device_bytes) {
  nlohmann::json event = {{"event", "memory"}, {"peak_host_bytes", peak_host_bytes}};
  if (peak_device_bytes) event["peak_device_bytes"] = *peak_device_bytes;
  return event;
}

nlohmann::json failure_event(std::string_view kind, std::string_view message) {
  return {{"event", "failure"}, {"kind", kind}, {"message", message.substr(0, longest_message)}};
}

nlohmann::json pause_event() {
  return {{"event", "pause"}};
}

nlohmann::json evaluation_event(const EvaluationEvent& evaluation) {
  nlohmann::json event = {{"event", "evaluation"},
                          {"step", evaluation.step},
                          {"samples", evaluation.samples},
                          {"epoch", evaluation.epoch},
                          {"end", seconds_of(evaluation.end_ns)},
                          {"seconds", seconds_of(evaluation.duration_ns)},
                          {"quality", number_or_null(evaluation.quality)}};
  if (evaluation.loss) event["loss"] = number_or_null(*evaluation.loss);
  return event;
}

nlohmann::json checkpoint_event(const CheckpointEvent& checkpoint) {
  return {{"event", "checkpoint"},
          {"step", checkpoint.step},
          {"end", seconds_of(checkpoint.end_ns)},
          {"seconds", seconds_of(checkpoint.duration_ns)},
          {"bytes", checkpoint.bytes}};
}

nlohmann::json data_event(nlohmann::json fields) {
  fields["event"] = "data";
  return fields;
}

nlohmann::json end_event(std::int64_t steps, std::string_view why) {
  return {{"event", "end"}, {"steps", steps}, {"why", why}};
}

std::string event_line(const nlohmann::json& event) {
  return event.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace) + '\n';
}

}  // namespace trainmark
