#include "suite/suite_content.h"

#include <gtest/gtest.h>

namespace trainmark {
namespace {

using Keys = std::vector<std::string>;

const std::string plain =
    "name: a\nmatrix:\n  - {workload: [x, y], framework: f, precision: fp32}\n"
    "measure: {rule: fixed, steps: 20, skip: 2}\nrounds: 3\n"
    "frameworks: {f: {arguments: [--a, 1], environment: {B: 2, A: 1}}}\n";

TEST(SuiteContent, DoesNotDependOnHowItIsWritten) {
  EXPECT_EQ(differing_keys(plain, plain + "# a comment\n"), Keys());
  EXPECT_EQ(differing_keys(plain,
                           "title: t\nname: b\nrounds: 9\ntime_limit: 3h\n"
                           "frameworks:\n  f:\n    environment: {A: 1, B: '2'}\n"
                           "    arguments: ['--a', \"1\"]\n"
                           "measure:\n  skip: 2.0\n  steps: 20\n  rule: fixed\n"
                           "matrix:\n  workload: [y, x]\n  framework: [f]\n  precision: fp32\n"),
            Keys());
}

TEST(SuiteContent, NamesWhatDiffers) {
  const auto with = [](const std::string& from, const std::string& to) {
    std::string text = plain;
    return text.replace(text.find(from), from.size(), to);
  };
  EXPECT_EQ(differing_keys(plain, with("[x, y]", "[x]")), Keys{"matrix"});
  EXPECT_EQ(differing_keys(plain, with("steps: 20", "steps: 21")), Keys{"measure"});
  EXPECT_EQ(differing_keys(plain, with("rule: fixed, steps: 20, skip: 2", "rule: adaptive")),
            Keys{"measure"});
  EXPECT_EQ(differing_keys(plain, with("[--a, 1]", "[1, --a]")), Keys{"frameworks"});
  EXPECT_EQ(differing_keys(plain, with("B: 2", "B: 3")), Keys{"frameworks"});
  EXPECT_EQ(differing_keys(plain, plain + "seed: 4\n"), Keys{"seed"});
  EXPECT_EQ(differing_keys(plain, plain + "exclude: {workload: x}\n"), Keys{"exclude"});
  EXPECT_EQ(differing_keys(plain, plain + "launcher: mpirun\nhosts: [a]\n"),
            (Keys{"hosts", "launcher"}));
  EXPECT_EQ(differing_keys(plain, plain + "launcher_arguments: [-x]\n"),
            Keys{"launcher_arguments"});
  EXPECT_EQ(differing_keys(plain, plain + "job_arguments: [-x]\n"), Keys{"job_arguments"});
}

TEST(SuiteContent, SeesTheWholeOfACommandAndItsContainer) {
  const auto text = [](const std::string& settings) {
    return "matrix: {framework: f}\nframeworks:\n  f: {command: [a, b], " + settings + "}\n";
  };
  const std::string one = text("pattern: '(?P<rate>.)', unit: images");
  EXPECT_EQ(differing_keys(one, text("unit: images, pattern: '(?P<rate>.)'")), Keys());
  for (const char* other :
       {"pattern: '(?P<rate>x)', unit: images", "pattern: '(?P<rate>.)', unit: tokens",
        "pattern: '(?P<rate>.)', unit: images, folder: /x",
        "pattern: '(?P<rate>.)', unit: images, scope: rank",
        "pattern: '(?P<rate>.)', unit: images, when: [{precision: fp32, arguments: [c]}]",
        "pattern: '(?P<rate>.)', unit: images, container: an/image"}) {
    EXPECT_EQ(differing_keys(one, text(other)), Keys{"frameworks"}) << other;
  }
}

TEST(SuiteContent, ThatCannotBeReadIsLikeNoOther) {
  EXPECT_EQ(differing_keys("matrix: [", plain), Keys{"text"});
  EXPECT_EQ(differing_keys("matrix: [", "matrix: ["), Keys());
}

}  // namespace
}  // namespace trainmark
