#include "common/events.h"

#include <fcntl.h>
#include <fmt/compile.h>
#include <fmt/format.h>
#include <poll.h>
#include <unistd.h>

#include <cerrno>
#include <charconv>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <nlohmann/json.hpp>
#include <utility>

#include "base/error.h"
#include "common/failure.h"
#include "common/host.h"

namespace trainmark::train {
namespace {

constexpr std::int64_t flush_after_ns = 100'000'000;  // the protocol's tenth of a second
constexpr std::size_t buffer_bytes = 64 * 1024;       // what a Linux pipe takes without blocking
constexpr std::int64_t ns_per_second = 1'000'000'000;

char* append_readable(char* out, const StepEvent& step, std::string_view unit) {
  const double seconds = static_cast<double>(step.duration_ns) / ns_per_second;
  out = fmt::format_to(out, FMT_COMPILE("step {:6}  {:10.3f} ms  {:10.2f} {:.32}/s"), step.index,
                       seconds * 1e3, seconds > 0 ? static_cast<double>(step.items) / seconds : 0.0,
                       unit);
  if (step.loss) out = fmt::format_to(out, FMT_COMPILE("  loss {:.6g}"), *step.loss);
  if (step.data_ns) {
    out = fmt::format_to(out, FMT_COMPILE("  {:.3f} ms for data"),
                         static_cast<double>(*step.data_ns) / ns_per_second * 1e3);
  }
  *out++ = '\n';
  return out;
}

void write_all(int fd, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t written = write(fd, bytes.data(), bytes.size());
    if (written >= 0) {
      bytes.remove_prefix(static_cast<std::size_t>(written));
    } else if (errno == EAGAIN) {  // a bench may have made its pipe non-blocking, and ours with it
      pollfd ready{fd, POLLOUT, 0};
      poll(&ready, 1, -1);
    } else if (errno != EINTR) {
      throw BenchGone();
    }
  }
}

}  // namespace

EventWriter::EventWriter(int fd, Form form) : fd_(fd), form_(form), last_flush_ns_(0) {
  buffer_.reserve(buffer_bytes);
  // A closed pipe shall be an error of write(), which we can end on in good order.
  std::signal(SIGPIPE, SIG_IGN);
}

EventWriter EventWriter::from_environment() {
  const char* value = std::getenv(events_variable);
  if (value == nullptr) return {STDOUT_FILENO, Form::readable};
  int fd = -1;
  const char* last = value + std::strlen(value);
  const auto [rest, error] = std::from_chars(value, last, fd);
  if (error != std::errc() || rest != last || fcntl(fd, F_GETFD) == -1) {
    throw UserError(fmt::format(
        "{} is '{}': it must be the number of an open file descriptor; unset it to read the steps "
        "on stdout",
        events_variable, value));
  }
  return {fd, Form::events};
}

void EventWriter::start(nlohmann::json fields) {
  unit_ = fields.value("unit", unit_);
  event(start_event(std::move(fields)));
  flush();
}

void EventWriter::step(const StepEvent& step) {
  const std::size_t before = buffer_.size();
  buffer_.resize(before + longest_step_line);  // no allocation: never more than was reserved
  char* const line = buffer_.data() + before;
  char* const end =
      form_ == Form::events ? write_step(line, step) : append_readable(line, step, unit_);
  buffer_.resize(before + static_cast<std::size_t>(end - line));
  // The next step will be about as long as this one: a line must not wait for its end in vain.
  const bool due = step.end_ns + step.duration_ns - last_flush_ns_ >= flush_after_ns;
  if (due || buffer_.size() + longest_step_line > buffer_bytes) {
    flush();
    last_flush_ns_ = step.end_ns;
  }
}

void EventWriter::memory(std::int64_t peak_host_bytes,
                         std::optional<std::int64_t> peak_device_bytes) {
  event(memory_event(peak_host_bytes, peak_device_bytes));
}

void EventWriter::evaluation(const EvaluationEvent& evaluation) {
  event(evaluation_event(evaluation));
  flush();
}

void EventWriter::checkpoint(const CheckpointEvent& checkpoint) {
  event(checkpoint_event(checkpoint));
  flush();
}

void EventWriter::data(nlohmann::json fields) {
  event(data_event(std::move(fields)));
}

void EventWriter::failure(std::string_view kind, std::string_view message) {
  event(failure_event(kind, message));
  flush();
}

void EventWriter::pause() {
  event(pause_event());
  flush();
}

void EventWriter::end(std::int64_t steps, std::string_view why) {
  event(end_event(steps, why));
  flush();
}

void EventWriter::raw(std::string_view bytes) {
  flush();
  write_all(fd_, bytes);
}

void EventWriter::flush() {
  const std::string_view bytes = buffer_;
  write_all(fd_, bytes);
  buffer_.clear();
}

void EventWriter::event(const nlohmann::json& fields) {
  if (form_ == Form::events) {
    buffer_ += event_line(fields);
    return;
  }
  constexpr auto replace = nlohmann::json::error_handler_t::replace;  // of broken UTF-8
  nlohmann::json rest = fields;
  rest.erase("event");
  buffer_ += fields.at("event").get<std::string>();
  for (const auto& [name, value] : rest.items()) {
    buffer_ += fmt::format(
        "  {} {}", name,
        value.is_string() ? value.get<std::string>() : value.dump(-1, ' ', false, replace));
  }
  buffer_ += '\n';
}

}  // namespace trainmark::train
