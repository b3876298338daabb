#include "protocol/event_reader.h"

#include <gtest/gtest.h>

#include <cmath>

#include "case_name.h"

namespace trainmark {
namespace {

std::string a_step(int index, double end) {
  return fmt::format(R"({{"event":"step","step":{},"end":{},"seconds":0.5,"items":8,"loss":2.5}})",
                     index, end) +
         "\n";
}

TEST(EventReader, ReadsAWholeRun) {
  EventReader reader;
  reader.feed(R"({"event":"start","framework":"x","batch":8})"
              "\n");
  reader.feed(a_step(0, 1) + a_step(1, 2));
  reader.feed(R"({"event":"memory","peak_host_bytes":1024,"peak_device_bytes":99})"
              "\n");
  reader.feed(R"({"event":"end","steps":2,"why":"stop"})"
              "\n");
  reader.finish();
  EXPECT_EQ(reader.fault(), "");
  EXPECT_EQ(reader.start().at("batch"), 8);
  ASSERT_EQ(reader.steps().size(), 2U);
  EXPECT_DOUBLE_EQ(reader.steps()[1].end, 2);
  EXPECT_DOUBLE_EQ(reader.steps()[1].loss, 2.5);
  EXPECT_EQ(reader.peak_device_bytes(), 99);
  EXPECT_TRUE(reader.ended());
}

TEST(EventReader, DoesNotCareHowTheBytesAreCut) {
  const std::string text = a_step(0, 1) + "\n" + a_step(1, 2) + a_step(2, 3);
  for (std::size_t cut = 1; cut < 40; ++cut) {
    EventReader reader;
    for (std::size_t at = 0; at < text.size(); at += cut) reader.feed(text.substr(at, cut));
    reader.finish();
    EXPECT_EQ(reader.fault(), "");
    EXPECT_EQ(reader.steps().size(), 3U);
  }
}

TEST(EventReader, TakesNullAsALossThatIsNotANumber) {
  EventReader reader;
  reader.feed(R"({"event":"step","step":0,"end":1,"seconds":1,"items":1,"loss":null})"
              "\n");
  reader.feed(R"({"event":"step","step":1,"end":2,"seconds":1,"items":1})"
              "\n");
  ASSERT_EQ(reader.steps().size(), 2U);
  EXPECT_TRUE(reader.steps()[0].has_loss);
  EXPECT_TRUE(std::isnan(reader.steps()[0].loss));
  EXPECT_FALSE(reader.steps()[1].has_loss);
}

/// Two steps of 0.5 s, a pause of about 100 s, a cold step, two more of 0.5 s.
std::string with_a_pause() {
  return a_step(0, 1) + a_step(1, 1.5) + "{\"event\": \"pause\"}\n" + a_step(2, 102) +
         a_step(3, 102.5) + a_step(4, 103);
}

TEST(EventReader, LetsTheClockStandStillInAPause) {
  for (const EventPolicy policy : {EventPolicy::strict, EventPolicy::lenient}) {
    EventReader reader(policy);
    reader.feed(with_a_pause());
    reader.finish();
    EXPECT_EQ(reader.fault(), "");
    ASSERT_EQ(reader.steps().size(), 4U);
    EXPECT_EQ(reader.steps()[2].index, 3);  // the cold step belongs to the pause
    EXPECT_DOUBLE_EQ(reader.steps()[2].end, 2);
    EXPECT_DOUBLE_EQ(reader.steps()[3].end, 2.5);
  }
}

TEST(EventReader, CountsPausesAndTakesOneBeforeTheFirstStep) {
  EventReader reader;
  reader.feed("{\"event\":\"pause\"}\n" + a_step(0, 100) + a_step(1, 100.5) + a_step(2, 101));
  EXPECT_EQ(reader.pauses(), 1U);
  ASSERT_EQ(reader.steps().size(), 2U);
  EXPECT_DOUBLE_EQ(reader.steps()[0].end, 100.5);
}

TEST(EventReader, TakesAHoldForAPause) {
  EventReader reader;
  reader.feed(a_step(0, 1));
  reader.note_hold();
  reader.feed(a_step(1, 50) + a_step(2, 50.5));
  ASSERT_EQ(reader.steps().size(), 2U);
  EXPECT_DOUBLE_EQ(reader.steps()[1].end, 1.5);
  EXPECT_EQ(reader.pauses(), 0U);  // none that it told
}

TEST(EventReader, KeepsTheFailureATrainerReports) {
  EventReader reader;
  reader.feed(
      "{\"event\":\"failure\",\"kind\":\"out-of-memory\",\"message\":\"at batch 9\x01\"}\n");
  // A raw control character is not JSON; one that is escaped is made harmless.
  EXPECT_FALSE(reader.failure());
  EventReader other;
  other.feed("{\"event\":\"failure\",\"kind\":\"out-of-memory\",\"message\":\"at \\u001b[31m\"}\n");
  ASSERT_TRUE(other.failure());
  EXPECT_EQ(other.failure()->kind, "out-of-memory");
  EXPECT_EQ(other.failure()->message.find('\x1b'), std::string::npos);
}

class BadEvents : public testing::TestWithParam<std::string> {};

TEST_P(BadEvents, BecomeAFaultAndNothingWorse) {
  EventReader reader;
  reader.feed(a_step(5, 10));
  reader.feed(GetParam() + "\n");
  reader.feed(a_step(6, 11));
  EXPECT_NE(reader.fault(), "") << GetParam();
  EXPECT_GE(reader.steps().size(), 1U);
}

INSTANTIATE_TEST_SUITE_P(
    Table, BadEvents,
    testing::Values("hello", "{", "[]", "5", "{}", R"({"event":5})", R"({"event":"step"})",
                    R"({"event":"step","step":6,"end":"x","seconds":1,"items":1})",
                    R"({"event":"step","step":6,"end":1e999,"seconds":1,"items":1})",
                    R"({"event":"step","step":6,"end":11,"seconds":-1,"items":1})",
                    R"({"event":"step","step":6,"end":11,"seconds":1,"items":0})",
                    R"({"event":"step","step":6,"end":9,"seconds":1,"items":1})",
                    R"({"event":"step","step":5,"end":11,"seconds":1,"items":1})",
                    R"({"event":"step","step":1e27,"end":11,"items":1,"seconds":1})",
                    R"({"event":"step","step":6.5,"end":11,"items":1,"seconds":1})",
                    std::string(70'000, 'x'), std::string(60'000, '['), std::string("\0\0", 2)),
    numbered_cases);

TEST(EventReader, KeepsMemoryBoundedOnALineWithoutEnd) {
  EventReader reader;
  const std::string piece(1 << 20, 'x');
  for (int i = 0; i < 200; ++i) reader.feed(piece);
  reader.feed("\n" + a_step(0, 1));
  EXPECT_NE(reader.fault().find("longer than"), std::string::npos);
  EXPECT_EQ(reader.steps().size(), 1U);
}

TEST(EventReader, KnowsATornLine) {
  EventReader reader;
  reader.feed(a_step(0, 1) + R"({"event":"st)");
  reader.finish();
  EXPECT_NE(reader.fault().find("torn"), std::string::npos);
}

TEST(EventReader, PassesOverWhatItDoesNotKnow) {
  EventReader reader;
  reader.feed(R"({"event":"weather","sun":true})"
              "\n");
  EXPECT_EQ(reader.fault(), "");
}

TEST(EventReader, TakesWhatIsJsonThoughNoTrainerOfOursWritesItSo) {
  EventReader reader;
  // A whole number as a float, a field beyond any integer, a field twice.
  reader.feed(R"({"event":"step","step":1.0,"end":1,"seconds":1,"items":1})"
              "\n");
  reader.feed(
      R"({"event":"step","step":2,"end":2,"seconds":1,"items":1,"hash":123456789012345678901234})"
      "\n");
  reader.feed(R"({"event":"step","step":3,"end":9,"end":3,"seconds":1,"items":1})"
              "\n");
  EXPECT_EQ(reader.fault(), "");
  ASSERT_EQ(reader.steps().size(), 3U);
  EXPECT_EQ(reader.steps()[0].index, 1);
  EXPECT_EQ(reader.steps()[2].end, 3);
}

TEST(EventReader, SaysWhatIsWrongWithALine) {
  const auto fault = [](const std::string& line) {
    EventReader reader;
    reader.feed(a_step(5, 10) + line + "\n");
    return reader.fault();
  };
  EXPECT_EQ(fault("hello"), "event line 2 cannot be read: 'hello'");
  EXPECT_EQ(fault(R"({"event":"step","step":6,"end":11,"seconds":-1,"items":1})"),
            "event line 2: a step needs seconds of 0 or more and more than 0 items");
  EXPECT_EQ(fault(R"({"event":"step","step":6,"end":9,"seconds":1,"items":1})"),
            "event line 2: step 6 does not come after step 5");
  EXPECT_EQ(fault(R"({"event":"step","step":6,"end":11,"seconds":1,"items":1,"exposed":-1})"),
            "event line 2: 'communication', 'exposed' and 'data' must be seconds, 0 or more");
  EXPECT_EQ(fault(std::string(70'000, 'x')), "event line 2 is longer than 65536 bytes");
}

TEST(EventReader, IfLenientPassesOverWhatIsDamaged) {
  const std::vector<Step> steps =
      read_steps(a_step(0, 1) + "hello\n\n" + R"({"event":"start","batch":8})" + "\n" +
                 a_step(0, 2) +  // of the past
                 R"({"event":"step","step":1,"end":2,"seconds":"x","items":1})" + "\n" +
                 R"({"event":"step","step":1,"end":2,"seconds":1,"items":0})" + "\n" +
                 std::string(70'000, 'x') + "\n" + a_step(2, 3) + R"({"event":"step","st)");
  ASSERT_EQ(steps.size(), 2U);
  EXPECT_EQ(steps[0].index, 0);
  EXPECT_EQ(steps[1].index, 2);
}

TEST(EventReader, IfLenientTakesALastLineWithoutItsEnd) {
  std::string text = a_step(0, 1) + a_step(1, 2);
  text.pop_back();
  EXPECT_EQ(read_steps(text).size(), 2U);
}

TEST(EventReader, IfLenientHasNoFaults) {
  EventReader reader(EventPolicy::lenient);
  reader.feed("hello\n" + std::string(70'000, 'x') + "\n{\"event\":");
  reader.finish();
  EXPECT_EQ(reader.fault(), "");
}

TEST(EventReader, ReadsOneStepOfALine) {
  const auto step = read_step(R"({"event":"step","step":7,"end":1,"seconds":0.5,"items":8})");
  ASSERT_TRUE(step);
  EXPECT_EQ(step->index, 7);
  EXPECT_FALSE(step->has_loss);
  for (const char* line : {"", "{}", "[]", R"({"event":"end","steps":2})",
                           R"({"event":"step","step":7,"end":1,"seconds":0.5})"}) {
    EXPECT_FALSE(read_step(line)) << line;
  }
}

TEST(EventReader, TakesTimesOfCommunicationWhereTheyAreTold) {
  EventReader reader;
  reader.feed(
      "{\"event\":\"step\",\"step\":0,\"end\":1,\"seconds\":0.5,\"items\":1,"
      "\"communication\":0.2,\"exposed\":0.1,\"data\":0.3}\n"
      "{\"event\":\"step\",\"step\":1,\"end\":2,\"seconds\":0.5,\"items\":1}\n");
  ASSERT_EQ(reader.steps().size(), 2U);
  EXPECT_DOUBLE_EQ(reader.steps()[0].communication, 0.2);
  EXPECT_DOUBLE_EQ(reader.steps()[0].exposed, 0.1);
  EXPECT_DOUBLE_EQ(reader.steps()[0].input, 0.3);
  EXPECT_TRUE(std::isnan(reader.steps()[1].input));
  EXPECT_TRUE(std::isnan(reader.steps()[1].communication));
  reader.feed(
      "{\"event\":\"step\",\"step\":2,\"end\":3,\"seconds\":0.5,\"items\":1,\"exposed\":-1}\n");
  EXPECT_NE(reader.fault(), "");
}

}  // namespace
}  // namespace trainmark
