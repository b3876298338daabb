#include "protocol/run_files.h"

#include <gtest/gtest.h>

namespace trainmark {
namespace {

TEST(RunFiles, HaveTheRankInTheirNamesWhereThereAreSeveral) {
  EXPECT_EQ(events_file(0, 1), "events.jsonl");
  EXPECT_EQ(output_file(0, 1), "stdout.log");
  EXPECT_EQ(errors_file(0, 1), "stderr.log");
  EXPECT_EQ(events_file(0, 2), "events.0.jsonl");
  EXPECT_EQ(output_file(13, 16), "stdout.13.log");
  EXPECT_EQ(errors_file(1, 2), "stderr.1.log");
}

}  // namespace
}  // namespace trainmark
