#include "common/events.h"

#include <fcntl.h>
#include <fmt/compile.h>
#include <fmt/format.h>
#include <poll.h>
#include <unistd.h>

#include <cerrno>
#include <charconv>
#include <cmath>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <nlohmann/json.hpp>

#include "base/error.h"
#include "common/failure.h"
#include "common/host.h"

namespace trainmark::train {
namespace {

constexpr std::int64_t kFlushAfterNs = 100'000'000;  // the protocol's tenth of a second
constexpr std::size_t kBufferBytes = 64 * 1024;      // what a Linux pipe takes without blocking
constexpr std::size_t kStepBytes = 256;              // more than the longest line of a step
constexpr std::size_t kMessageBytes = 8 * 1024;      // a line must stay under the protocol's 64 KiB
constexpr std::int64_t kNsPerSecond = 1'000'000'000;

/// "8.123456789": whole nanoseconds, and several times faster than formatting a double.
char* append_seconds(char* out, std::int64_t ns) {
  return fmt::format_to(out, FMT_COMPILE("{}.{:09}"), ns / kNsPerSecond, ns % kNsPerSecond);
}

char* append_event(char* out, const StepEvent& step) {
  out = fmt::format_to(out, FMT_COMPILE(R"({{"event":"step","step":{},"end":)"), step.index);
  out = append_seconds(out, step.end_ns);
  out = fmt::format_to(out, FMT_COMPILE(R"(,"seconds":)"));
  out = append_seconds(out, step.duration_ns);
  out = fmt::format_to(out, FMT_COMPILE(R"(,"items":{})"), step.items);
  if (step.loss && std::isfinite(*step.loss)) {
    out = fmt::format_to(out, FMT_COMPILE(R"(,"loss":{})"), *step.loss);
  } else if (step.loss) {
    out = fmt::format_to(out, FMT_COMPILE(R"(,"loss":null)"));
  }
  if (step.communication_ns) {
    out = fmt::format_to(out, FMT_COMPILE(R"(,"communication":)"));
    out = append_seconds(out, *step.communication_ns);
  }
  if (step.exposed_ns) {
    out = fmt::format_to(out, FMT_COMPILE(R"(,"exposed":)"));
    out = append_seconds(out, *step.exposed_ns);
  }
  *out++ = '}';
  *out++ = '\n';
  return out;
}

char* append_readable(char* out, const StepEvent& step, std::string_view unit) {
  const double seconds = static_cast<double>(step.duration_ns) / kNsPerSecond;
  out = fmt::format_to(out, FMT_COMPILE("step {:6}  {:10.3f} ms  {:10.2f} {:.32}/s"), step.index,
                       seconds * 1e3, seconds > 0 ? static_cast<double>(step.items) / seconds : 0.0,
                       unit);
  if (step.loss) out = fmt::format_to(out, FMT_COMPILE("  loss {:.6g}"), *step.loss);
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
  buffer_.reserve(kBufferBytes);
  // A closed pipe shall be an error of write(), which we can end on in good order.
  std::signal(SIGPIPE, SIG_IGN);
}

EventWriter EventWriter::from_environment() {
  const char* value = std::getenv("TRAINMARK_EVENTS");
  if (value == nullptr) return {STDOUT_FILENO, Form::kReadable};
  int fd = -1;
  const char* last = value + std::strlen(value);
  const auto [rest, error] = std::from_chars(value, last, fd);
  if (error != std::errc() || rest != last || fcntl(fd, F_GETFD) == -1) {
    throw UserError(fmt::format(
        "TRAINMARK_EVENTS is '{}': it must be the number of an open file descriptor; unset it to "
        "read the steps on stdout",
        value));
  }
  return {fd, Form::kEvents};
}

void EventWriter::start(nlohmann::json fields) {
  unit_ = fields.value("unit", unit_);
  fields["event"] = "start";
  event(fields);
  flush();
}

void EventWriter::step(const StepEvent& step) {
  const std::size_t before = buffer_.size();
  buffer_.resize(before + kStepBytes);  // no allocation: never more than was reserved
  char* const line = buffer_.data() + before;
  char* const end =
      form_ == Form::kEvents ? append_event(line, step) : append_readable(line, step, unit_);
  buffer_.resize(before + static_cast<std::size_t>(end - line));
  // The next step will be about as long as this one: a line must not wait for its end in vain.
  const bool due = step.end_ns + step.duration_ns - last_flush_ns_ >= kFlushAfterNs;
  if (due || buffer_.size() + kStepBytes > kBufferBytes) {
    flush();
    last_flush_ns_ = step.end_ns;
  }
}

void EventWriter::memory(std::int64_t peak_host_bytes,
                         std::optional<std::int64_t> peak_device_bytes) {
  nlohmann::json fields = {{"event", "memory"}, {"peak_host_bytes", peak_host_bytes}};
  if (peak_device_bytes) fields["peak_device_bytes"] = *peak_device_bytes;
  event(fields);
}

void EventWriter::failure(std::string_view kind, std::string_view message) {
  event({{"event", "failure"}, {"kind", kind}, {"message", message.substr(0, kMessageBytes)}});
  flush();
}

void EventWriter::end(std::int64_t steps, std::string_view why) {
  event({{"event", "end"}, {"steps", steps}, {"why", why}});
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
  // Messages of others may hold broken UTF-8, which must not stop us from telling the rest.
  constexpr auto kReplace = nlohmann::json::error_handler_t::replace;
  if (form_ == Form::kEvents) {
    buffer_ += fields.dump(-1, ' ', false, kReplace) + '\n';
    return;
  }
  nlohmann::json rest = fields;
  rest.erase("event");
  buffer_ += fields.at("event").get<std::string>();
  for (const auto& [name, value] : rest.items()) {
    buffer_ += fmt::format(
        "  {} {}", name,
        value.is_string() ? value.get<std::string>() : value.dump(-1, ' ', false, kReplace));
  }
  buffer_ += '\n';
}

}  // namespace trainmark::train
