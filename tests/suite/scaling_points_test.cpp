#include "suite/scaling_points.h"

#include <gtest/gtest.h>

#include "user_error.h"

namespace trainmark {
namespace {

TEST(ScalingPoints, AreReadFromAFile) {
  const auto jobs = parse_scaling_points(
      "jobs:\n- {name: r50, unit: images, batch: 96, parameters: 25.6e6, gradient_bytes: 2,\n"
      "   points: {1n1g: 383, 4n8g: 10715}}\n",
      "f.yaml");
  ASSERT_EQ(jobs.size(), 1U);
  EXPECT_EQ(jobs[0].name, "r50");
  EXPECT_EQ(jobs[0].batch, 96);
  EXPECT_EQ(jobs[0].parameters, 25.6e6);
  EXPECT_EQ(jobs[0].gradient_bytes, 2);
  ASSERT_EQ(jobs[0].points.size(), 2U);
  EXPECT_EQ(jobs[0].points[1].first, (Scale{4, 8}));
  EXPECT_EQ(jobs[0].points[1].second, 10715);
}

std::string refusal(const std::string& job) {
  return user_error_of([&] { parse_scaling_points("jobs:\n- " + job + "\n", "f.yaml"); });
}

TEST(ScalingPoints, SayWhereTheyAreWrong) {
  EXPECT_NE(refusal("{name: a, batch: 1, parameters: 1, points: {1x1: 3}}")
                .find("f.yaml:2: '1x1' is no scale"),
            std::string::npos);
  EXPECT_NE(refusal("{name: a, batch: 1, parameters: 1}").find("no 'points'"), std::string::npos);
  EXPECT_NE(refusal("{name: a, parameters: 1, points: {1n1g: 3}}").find("no 'batch'"),
            std::string::npos);
  EXPECT_NE(refusal("{batch: 1, parameters: 1, points: {1n1g: 3}}").find("no 'name'"),
            std::string::npos);
  EXPECT_NE(refusal("{name: a, batch: 1, parameters: 1, points: {1n1g: -3}}"), "");
  EXPECT_NE(refusal("{name: a, batch: 1, parameters: 1, points: {1n1g: 3}, color: red}"), "");
  EXPECT_THROW(parse_scaling_points("{}", "f.yaml"), UserError);
}

}  // namespace
}  // namespace trainmark
