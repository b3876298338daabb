#include "measure/statistics.h"

#include <gtest/gtest.h>

#include <array>
#include <cmath>

#include "case_name.h"

namespace trainmark {
namespace {

TEST(Statistics, KnowsTheUsualFigures) {
  const std::array values{4.0, 1.0, 3.0, 2.0, 10.0};
  EXPECT_DOUBLE_EQ(mean(values), 4);
  EXPECT_DOUBLE_EQ(median(values), 3);
  EXPECT_DOUBLE_EQ(standard_deviation(values), std::sqrt(50.0 / 4));
  EXPECT_DOUBLE_EQ(median_absolute_deviation(values), 1);
  EXPECT_DOUBLE_EQ(quantile(values, 0), 1);
  EXPECT_DOUBLE_EQ(quantile(values, 1), 10);
  EXPECT_DOUBLE_EQ(quantile(values, 0.25), 2);
  EXPECT_DOUBLE_EQ(quantile(values, 0.125), 1.5);
}

TEST(Statistics, OfFewValues) {
  const std::array one{7.0};
  EXPECT_DOUBLE_EQ(standard_deviation(one), 0);
  EXPECT_DOUBLE_EQ(quantile(one, 0.95), 7);
  EXPECT_TRUE(std::isnan(mean({})));
  EXPECT_TRUE(std::isnan(median({})));
  const std::array two{1.0, 2.0};
  EXPECT_DOUBLE_EQ(median(two), 1.5);
}

struct Quantile {
  double probability, degrees, value;

  friend void PrintTo(const Quantile& it, std::ostream* out) {
    *out << it.probability << ", degrees: " << it.degrees;
  }
};

class StudentT : public testing::TestWithParam<Quantile> {};

TEST_P(StudentT, AgreesWithPublishedTables) {
  const auto [probability, degrees, value] = GetParam();
  EXPECT_NEAR(student_t_quantile(probability, degrees), value, 1e-6 * value);
  EXPECT_NEAR(student_t_quantile(1 - probability, degrees), -value, 1e-6 * value);
}

INSTANTIATE_TEST_SUITE_P(
    Tables, StudentT,
    testing::Values(Quantile{0.975, 1, 12.7062047}, Quantile{0.975, 2, 4.30265273},
                    Quantile{0.975, 3, 3.18244631}, Quantile{0.975, 4, 2.77644511},
                    Quantile{0.975, 5, 2.57058184}, Quantile{0.975, 10, 2.22813885},
                    Quantile{0.975, 29, 2.04522964}, Quantile{0.975, 30, 2.04227246},
                    Quantile{0.975, 100, 1.98397152}, Quantile{0.975, 1000, 1.96233908},
                    Quantile{0.975, 1e9, 1.95996399}, Quantile{0.9995, 1, 636.619249},
                    Quantile{0.9995, 2, 31.5990546}, Quantile{0.9995, 10, 4.58689386},
                    Quantile{0.9995, 100, 3.39049131}, Quantile{0.75, 1, 1.0},
                    Quantile{0.9, 5, 1.47588405}),
    named_cases);

TEST(StudentTQuantile, AgreesWithItsClosedForms) {
  for (const double p : {0.500001, 0.6, 0.9, 0.999, 0.999999}) {
    const double one = std::tan(std::acos(-1.0) * (p - 0.5));
    EXPECT_NEAR(student_t_quantile(p, 1), one, 1e-9 * one) << p;
    const double two = (2 * p - 1) / std::sqrt(2 * p * (1 - p));
    EXPECT_NEAR(student_t_quantile(p, 2), two, 1e-9 * two) << p;
  }
  EXPECT_NEAR(student_t_quantile(0.5, 7), 0, 1e-12);
}

TEST(StudentTQuantile, HasNoSeamWhereTheMethodChanges) {
  EXPECT_NEAR(student_t_quantile(0.975, 9999.9), student_t_quantile(0.975, 10000.1), 1e-8);
}

TEST(StudentTQuantile, IsInfiniteWhereADoubleDoesNotReach) {
  EXPECT_TRUE(std::isinf(student_t_quantile(0.999, 0.01)));
}

}  // namespace
}  // namespace trainmark
