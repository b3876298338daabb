#include "protocol/quality_events.h"

#include <gtest/gtest.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "case_name.h"
#include "protocol/event_lines.h"
#include "protocol/event_reader.h"

namespace trainmark {
namespace {

/// A step of half a second.
std::string a_timed_step(int index, double end) {
  return fmt::format(R"({{"event":"step","step":{},"end":{},"seconds":0.5,"items":8}})", index,
                     end) +
         "\n";
}

std::string an_evaluation(int step, double end, double seconds, double quality) {
  return event_line(evaluation_event({.step = step,
                                      .samples = std::int64_t{8} * step,
                                      .epoch = 0.25 * step,
                                      .end_ns = std::llround(end * 1e9),
                                      .duration_ns = std::llround(seconds * 1e9),
                                      .quality = quality,
                                      .loss = 0.5}));
}

TEST(QualityEvents, OfAnEvaluationAreReadAsTheyWereWritten) {
  EventReader reader;
  reader.feed(a_timed_step(0, 1) + an_evaluation(1, 3, 2, 0.75));
  EXPECT_EQ(reader.fault(), "");
  ASSERT_EQ(reader.evaluations().size(), 1U);
  const Evaluation& evaluation = reader.evaluations().front();
  EXPECT_EQ(evaluation.step, 1);
  EXPECT_EQ(evaluation.samples, 8);
  EXPECT_EQ(evaluation.epoch, 0.25);
  EXPECT_DOUBLE_EQ(evaluation.at, 1);
  EXPECT_DOUBLE_EQ(evaluation.seconds, 2);
  EXPECT_EQ(evaluation.quality, 0.75);
  EXPECT_EQ(evaluation.loss, 0.5);
}

TEST(QualityEvents, HaveNullForWhatIsNotFinite) {
  const auto json =
      evaluation_event({.quality = NAN, .loss = std::numeric_limits<double>::infinity()});
  EXPECT_TRUE(json.at("quality").is_null());
  EXPECT_TRUE(json.at("loss").is_null());
  EXPECT_TRUE(std::isnan(read_evaluation(json).quality));
  EXPECT_TRUE(std::isnan(read_evaluation(json).loss.value()));
  EXPECT_FALSE(evaluation_event({}).contains("loss"));
}

/// Steps of 0.5 s, evaluations of 10 and 20 s between them, and a checkpoint of 1 s.
std::string a_training() {
  return a_timed_step(0, 1) + a_timed_step(1, 1.5) + an_evaluation(2, 11.5, 10, 0.5) +
         event_line(checkpoint_event({2, 12'500'000'000, 1'000'000'000, 4096})) +
         a_timed_step(2, 13) + a_timed_step(3, 13.5) + an_evaluation(4, 33.5, 20, 0.6) +
         a_timed_step(4, 34);
}

TEST(QualityEvents, LetTheClockStandStillInEvaluationsButNotInCheckpoints) {
  for (const EventPolicy policy : {EventPolicy::strict, EventPolicy::lenient}) {
    EventReader reader(policy);
    reader.feed(a_training());
    reader.finish();
    EXPECT_EQ(reader.fault(), "");
    ASSERT_EQ(reader.steps().size(), 5U);
    EXPECT_DOUBLE_EQ(reader.steps()[2].end, 3);
    EXPECT_DOUBLE_EQ(reader.steps()[4].end, 4);
    ASSERT_EQ(reader.evaluations().size(), 2U);
    EXPECT_DOUBLE_EQ(reader.evaluations()[0].at, 1.5);
    EXPECT_DOUBLE_EQ(reader.evaluations()[1].at, 3.5);
  }
}

TEST(QualityEvents, OfCheckpointsSayWhatTheyCost) {
  EventReader reader;
  reader.feed(a_training());
  ASSERT_EQ(reader.checkpoints().size(), 1U);
  EXPECT_EQ(reader.checkpoints()[0].step, 2);
  EXPECT_DOUBLE_EQ(reader.checkpoints()[0].seconds, 1);
  EXPECT_EQ(reader.checkpoints()[0].bytes, 4096);
}

TEST(QualityEvents, TakeNoTimeFromAStepThatAnEvaluationOverlaps) {
  EventReader reader;
  reader.feed(a_timed_step(0, 1) + an_evaluation(1, 2.9, 2, 0.5) + a_timed_step(1, 3.4));
  EXPECT_EQ(reader.fault(), "");
  EXPECT_DOUBLE_EQ(reader.evaluations().at(0).at, 1);
  EXPECT_DOUBLE_EQ(reader.steps().at(1).end, 1.5);
}

const char* const start_with_quality = R"({"event":"start","quality":{
  "metric":"top-1 accuracy","better":"higher","target":0.9,"epochs":6.0,"evaluate_every":0.25,
  "steps_per_epoch":468,"evaluation_samples":10000,
  "resumed":{"step":1200,"samples":153600,"seconds":61.25,"evaluations":[
    {"step":117,"samples":14976,"epoch":0.25,"seconds":2.5,"quality":0.7,"loss":0.8,"at":6.5}]}}})";

TEST(QualityEvents, OfTheStartSayWhatWasDoneBefore) {
  EventReader reader;
  std::string line = nlohmann::json::parse(start_with_quality).dump() + "\n";
  reader.feed(line);
  EXPECT_EQ(reader.fault(), "");
  const QualityTask& task = reader.quality_task().value();
  EXPECT_EQ(task.metric, "top-1 accuracy");
  EXPECT_TRUE(task.higher_is_better);
  EXPECT_EQ(task.target, 0.9);
  EXPECT_EQ(task.epochs, 6);
  EXPECT_EQ(task.steps_per_epoch, 468);
  const EarlierTraining& before = task.resumed.value();
  EXPECT_EQ(before.step, 1200);
  EXPECT_EQ(before.samples, 153600);
  EXPECT_EQ(before.seconds, 61.25);
  EXPECT_EQ(before.evaluations.at(0).at, 6.5);
  EXPECT_EQ(before.evaluations.at(0).quality, 0.7);
}

TEST(QualityEvents, OfATrainingForSpeedSayNothing) {
  EventReader reader;
  reader.feed("{\"event\":\"start\",\"batch\":8}\n");
  EXPECT_FALSE(reader.quality_task());
}

class BadQualityEvents : public testing::TestWithParam<const char*> {};

TEST_P(BadQualityEvents, BecomeAFaultAndNothingWorse) {
  const std::string before = a_timed_step(0, 1) + an_evaluation(1, 2, 1, 0.5) + a_timed_step(1, 3);
  EventReader strict;
  EventReader lenient(EventPolicy::lenient);
  for (EventReader* reader : {&strict, &lenient})
    reader->feed(before + GetParam() + "\n" + a_timed_step(2, 30));
  EXPECT_NE(strict.fault(), "") << GetParam();
  EXPECT_EQ(lenient.fault(), "");
  EXPECT_EQ(lenient.evaluations().size(), 1U) << GetParam();
  EXPECT_EQ(lenient.steps().size(), 3U);
}

INSTANTIATE_TEST_SUITE_P(
    Table, BadQualityEvents,
    testing::Values(
        R"({"event":"evaluation"})",
        R"({"event":"evaluation","step":2,"samples":16,"epoch":1,"end":4,"seconds":1})",
        R"({"event":"evaluation","step":2,"samples":-1,"epoch":1,"end":4,"seconds":1,"quality":1})",
        R"({"event":"evaluation","step":2,"samples":16,"epoch":1,"end":4,"seconds":-1,"quality":1})",
        R"({"event":"evaluation","step":2,"samples":16,"epoch":1,"end":1e999,"seconds":1,"quality":1})",
        R"({"event":"evaluation","step":2,"samples":16,"epoch":1,"end":2,"seconds":0.1,"quality":1})",
        R"({"event":"evaluation","step":0,"samples":4,"epoch":1,"end":4,"seconds":1,"quality":1})",
        R"({"event":"evaluation","step":2,"samples":16,"epoch":1,"end":4,"seconds":1,"quality":"x"})",
        R"({"event":"checkpoint","step":2,"seconds":-1,"bytes":1})",
        R"({"event":"start","quality":{"metric":"m","better":"more","epochs":1}})",
        R"({"event":"start","quality":{"metric":"m","better":"lower","epochs":-1}})",
        R"({"event":"start","quality":{"metric":5,"better":"lower","epochs":1}})",
        R"({"event":"start","quality":{"metric":"m","better":"lower","epochs":1,"resumed":{}}})"),
    numbered_cases);

}  // namespace
}  // namespace trainmark
