#include "common/events.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/mman.h>
#include <unistd.h>

#include <array>
#include <nlohmann/json.hpp>
#include <sstream>

#include "base/error.h"
#include "common/failure.h"

namespace trainmark::train {
namespace {

/// Takes what is written; a file in memory, so that nothing blocks.
class Sink {
 public:
  Sink() : fd_(memfd_create("events", MFD_CLOEXEC)) {}
  ~Sink() { close(fd_); }
  Sink(const Sink&) = delete;
  Sink& operator=(const Sink&) = delete;

  int fd() const { return fd_; }

  std::string text() const {
    std::string text(static_cast<std::size_t>(lseek(fd_, 0, SEEK_END)), '\0');
    EXPECT_EQ(pread(fd_, text.data(), text.size(), 0), static_cast<ssize_t>(text.size()));
    return text;
  }

  std::vector<nlohmann::json> events() const {
    std::vector<nlohmann::json> events;
    std::istringstream lines(text());
    for (std::string line; std::getline(lines, line);) {
      events.push_back(nlohmann::json::parse(line));
    }
    return events;
  }

 private:
  int fd_;
};

constexpr std::int64_t millisecond = 1'000'000;

TEST(EventWriter, WritesAStepAsTheProtocolShowsIt) {
  const Sink sink;
  EventWriter writer(sink.fd(), EventWriter::Form::events);
  writer.step({12, 8'123'456'789, 312'345'678, 8, 6.907755F});
  writer.flush();
  EXPECT_EQ(sink.text(),
            R"({"event":"step","step":12,"end":8.123456789,"seconds":0.312345678,"items":8,)"
            R"("loss":6.907755})"
            "\n");
}

TEST(EventWriter, KeepsShortStepsForATenthOfASecond) {
  const Sink sink;
  EventWriter writer(sink.fd(), EventWriter::Form::events);
  const std::int64_t begin = 1'000'000 * millisecond;
  writer.step({0, begin, millisecond, 1, 1.0F});  // the first one goes out at once
  EXPECT_EQ(sink.events().size(), 1u);
  for (int i = 1; i <= 90; ++i) writer.step({i, begin + i * millisecond, millisecond, 1, 1.0F});
  EXPECT_EQ(sink.events().size(), 1u);
  for (int i = 91; i <= 100; ++i) writer.step({i, begin + i * millisecond, millisecond, 1, 1.0F});
  EXPECT_GE(sink.events().size(), 99u);
}

TEST(EventWriter, DoesNotLetALineWaitForALongStep) {
  const Sink sink;
  EventWriter writer(sink.fd(), EventWriter::Form::events);
  for (int i = 0; i < 5; ++i) {
    writer.step({i, i * 60 * millisecond + millisecond, 60 * millisecond, 1, 1.0F});
    EXPECT_GE(sink.events().size(), static_cast<std::size_t>(i));
  }
}

TEST(EventWriter, NeverHoldsMoreThanItsBuffer) {
  const Sink sink;
  EventWriter writer(sink.fd(), EventWriter::Form::events);
  for (int i = 0; i < 10'000; ++i) writer.step({i, 1, 1, 1, 1.0F});
  EXPECT_GE(sink.text().size(), 500'000u);
  writer.flush();
  EXPECT_EQ(sink.events().size(), 10'000u);
}

TEST(EventWriter, TellsTheWholeRunInOrder) {
  const Sink sink;
  EventWriter writer(sink.fd(), EventWriter::Form::events);
  writer.start({{"unit", "images"}});
  writer.step({0, millisecond, millisecond, 4, 1.5F});
  writer.memory(1 << 20, std::nullopt);
  writer.end(1, "stop");
  const auto events = sink.events();
  ASSERT_EQ(events.size(), 4u);
  EXPECT_EQ(events[0].at("event"), "start");
  EXPECT_EQ(events[2], nlohmann::json({{"event", "memory"}, {"peak_host_bytes", 1 << 20}}));
  EXPECT_EQ(events[3], nlohmann::json({{"event", "end"}, {"steps", 1}, {"why", "stop"}}));
}

TEST(EventWriter, TellsAFailureWhateverItsMessageHolds) {
  const Sink sink;
  EventWriter writer(sink.fd(), EventWriter::Form::events);
  writer.failure("other", "broken \xff\xfe text\n\"quoted\" " + std::string(1 << 20, 'x'));
  const auto events = sink.events();
  ASSERT_EQ(events.size(), 1u);
  EXPECT_EQ(events[0].at("kind"), "other");
  EXPECT_LT(sink.text().size(), 64u * 1024);
}

TEST(EventWriter, IsReadableWithoutABench) {
  const Sink sink;
  EventWriter writer(sink.fd(), EventWriter::Form::readable);
  writer.start({{"unit", "images"}});
  writer.step({3, millisecond, 500 * millisecond, 4, 1.5F});
  writer.end(4, "steps");
  EXPECT_NE(sink.text().find("500.000 ms"), std::string::npos);
  EXPECT_NE(sink.text().find("8.00 images/s"), std::string::npos);
  EXPECT_NE(sink.text().find("loss 1.5"), std::string::npos);
}

TEST(EventWriter, EndsTheTrainerWhenThePipeIsClosed) {
  std::array<int, 2> ends{};
  ASSERT_EQ(pipe2(ends.data(), O_CLOEXEC), 0);
  close(ends[0]);
  EventWriter writer(ends[1], EventWriter::Form::events);
  EXPECT_THROW(writer.start({{"unit", "images"}}), BenchGone);
  close(ends[1]);
}

TEST(EventWriter, RefusesADescriptorThatIsNone) {
  for (const char* value : {"", "x", "3x", "-1", "987654"}) {
    setenv("TRAINMARK_EVENTS", value, 1);
    EXPECT_THROW(EventWriter::from_environment(), UserError) << value;
  }
  unsetenv("TRAINMARK_EVENTS");
}

}  // namespace
}  // namespace trainmark::train
