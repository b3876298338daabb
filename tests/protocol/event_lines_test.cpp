#include "protocol/event_lines.h"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>

#include "protocol/event_reader.h"

namespace trainmark {
namespace {

constexpr double unknown = std::numeric_limits<double>::quiet_NaN();

std::string written(const StepEvent& step) {
  std::array<char, longest_step_line> line{};
  return {line.data(), write_step(line.data(), step)};
}

TEST(EventLines, OfAStepIsAsTheProtocolShowsIt) {
  EXPECT_EQ(written({12, 8'123'456'789, 312'345'678, 8, 6.907755F}),
            R"({"event":"step","step":12,"end":8.123456789,"seconds":0.312345678,"items":8,)"
            R"("loss":6.907755})"
            "\n");
  EXPECT_EQ(written({0, 1'000'000'001, 5, 1, std::nullopt}),
            R"({"event":"step","step":0,"end":1.000000001,"seconds":0.000000005,"items":1})"
            "\n");
}

TEST(EventLines, HaveNullForALossThatIsNoNumberAndNothingForNone) {
  constexpr float infinity = std::numeric_limits<float>::infinity();
  EXPECT_NE(written({0, 1, 1, 1, infinity}).find(R"("loss":null)"), std::string::npos);
  EXPECT_NE(written({0, 1, 1, 1, NAN}).find(R"("loss":null)"), std::string::npos);
  EXPECT_EQ(written({0, 1, 1, 1, std::nullopt}).find("loss"), std::string::npos);
}

TEST(EventLines, OfTheLongestStepFits) {
  constexpr std::int64_t most = std::numeric_limits<std::int64_t>::max();
  const std::string line = written(
      {most, most, most, most, -std::numeric_limits<float>::denorm_min(), most, most, most});
  EXPECT_LE(line.size(), longest_step_line);
  EXPECT_TRUE(read_step(line));
}

TEST(EventLines, AreReadAsTheyWereWritten) {
  const auto told =
      read_step(written({3, 2'500'000'000, 500'000'000, 8, 1.5F, 200'000'000, 0, 300'000'000}));
  ASSERT_TRUE(told);
  EXPECT_EQ(told->index, 3);
  EXPECT_EQ(told->end, 2.5);
  EXPECT_EQ(told->seconds, 0.5);
  EXPECT_EQ(told->items, 8);
  EXPECT_EQ(told->loss, 1.5);
  EXPECT_EQ(told->communication, 0.2);
  EXPECT_EQ(told->exposed, 0);
  EXPECT_EQ(told->input, 0.3);
}

TEST(EventLines, OfStepsFromElsewhereKeepEveryDigit) {
  Step step;
  step.index = 4;
  step.end = 1.0 / 3;
  step.seconds = 1e-7 / 3;
  step.items = 12.5;
  step.loss = 0.1;
  step.has_loss = true;
  const std::string line = step_line(step, 1234.5);
  EXPECT_EQ(nlohmann::json::parse(line).at("arrival"), 1234.5);
  const auto read = read_step(line);
  ASSERT_TRUE(read);
  EXPECT_EQ(read->index, 4);
  EXPECT_EQ(read->end, step.end);
  EXPECT_EQ(read->seconds, step.seconds);
  EXPECT_EQ(read->items, step.items);
  EXPECT_EQ(read->loss, step.loss);
  step.loss = unknown;
  EXPECT_TRUE(nlohmann::json::parse(step_line(step, unknown)).at("loss").is_null());
  EXPECT_FALSE(nlohmann::json::parse(step_line(step, unknown)).contains("arrival"));
  step.has_loss = false;
  EXPECT_FALSE(nlohmann::json::parse(step_line(step, unknown)).contains("loss"));
}

TEST(EventLines, TellAWholeRunToTheReader) {
  EventReader reader;
  reader.feed(event_line(start_event({{"unit", "images"}})));
  reader.feed(written({0, 1, 1, 1, 1.0F}));
  reader.feed(event_line(memory_event(1024, 99)));
  EXPECT_FALSE(reader.ended());
  reader.feed(event_line(end_event(1, "stop")));
  EXPECT_EQ(reader.fault(), "");
  EXPECT_EQ(reader.start(), nlohmann::json({{"unit", "images"}}));
  EXPECT_EQ(reader.steps().size(), 1U);
  EXPECT_EQ(reader.peak_host_bytes(), 1024);
  EXPECT_EQ(reader.peak_device_bytes(), 99);
  EXPECT_TRUE(reader.ended());
}

TEST(EventLines, OfAFailureFitWhateverItsMessageHolds) {
  EventReader reader;
  const std::string message = "broken \xff\xfe text\n\"quoted\" " + std::string(1 << 20, '\x01');
  const std::string line = event_line(failure_event("other", message));
  EXPECT_LT(line.size(), longest_event_line);
  reader.feed(line);
  EXPECT_EQ(reader.fault(), "");
  ASSERT_TRUE(reader.failure());
  EXPECT_EQ(reader.failure()->kind, "other");
  EXPECT_TRUE(reader.failure()->message.starts_with("broken "));
}

}  // namespace
}  // namespace trainmark
