#include <boost/math/distributions/students_t.hpp>

#include "base/error.h"
#include "measure/statistics.h"

// Boost's headers are slow to compile: this is the only file that includes them.

namespace trainmark {

namespace {

/// In double, whose digits suffice; what exceeds it is infinite and no error.
using Doubles = boost::math::policies::policy<
    boost::math::policies::promote_double<false>,
    boost::math::policies::overflow_error<boost::math::policies::ignore_error>>;

}  // namespace

double student_t_quantile(double probability, double degrees) {
  TRAINMARK_ASSERT(probability > 0 && probability < 1 && degrees > 0);
  return quantile(boost::math::students_t_distribution<double, Doubles>(degrees), probability);
}

}  // namespace trainmark
