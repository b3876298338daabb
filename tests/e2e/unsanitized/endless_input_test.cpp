// Input on which a reader could work for ever. Time and memory have bounds of their own here.

#include <gtest/gtest.h>

#include "e2e/support/program.h"

namespace trainmark::e2e {
namespace {

TEST(EndlessInput, ACommaBehindASuiteIsRefused) {
  const TemporaryFolder folder;
  const std::string suite = (folder / "s.yaml").string();
  write_text(suite, "    matrix: {\n  },\n");
  const Outcome outcome = trainmark_within(60, {"run", suite, "--dry-run"});
  EXPECT_EQ(outcome.code, 2) << outcome.errors;
  EXPECT_NE(outcome.errors.find("s.yaml:2: unexpected text after"), std::string::npos)
      << outcome.errors;
}

}  // namespace
}  // namespace trainmark::e2e
