#include "logs/generic/phase.h"

#include <gtest/gtest.h>

namespace trainmark {
namespace {

TEST(Phases, BeginWithHeadings) {
  for (const char* line : {"Eval begin...", "2024-01-02 03:04:05,000 INFO == eval ==", "Validating",
                           "  --- Validation epoch 3/20 ---", "Running evaluation on the test set",
                           "Start test:", "Epoch 3: validation"})
    EXPECT_EQ(phase_of_heading(line), Phase::evaluation) << line;
  for (const char* line :
       {"Training epoch 0", "Epoch 2/20", "[INFO] Epoch [2/20]",
        "Starting training from iteration 0", "2024-01-02 03:04:05.000 INFO == train epoch 0 =="})
    EXPECT_EQ(phase_of_heading(line), Phase::training) << line;
  for (const char* line :
       {"", "step 10/100 loss 2.3", "val 0.85", "epoch 3 val 0.85", "Test: 93/100", "eval 85%",
        "Eval samples: 10000", "Evaluation done", "Training and validation", "step 10",
        "    TEST:", "- eval:", "Epoch 3.5", "train | val"})
    EXPECT_EQ(phase_of_heading(line), Phase::unknown) << line;
}

/// Of lines that look the same: `N/TOTAL`, or a heading.
struct Said {
  const char* heading;
  double counter = 0;
  double total = not_known;
};

std::string phases_of(std::initializer_list<Said> lines) {
  PhaseFollower follower;
  PhaseFollower::Kind kind;
  std::string result;
  for (const Said& line : lines) {
    follower.look(line.heading);
    if (line.counter > 0)
      result += follower.is_evaluation(kind, line.counter, line.total) ? 'e' : 't';
  }
  return result;
}

TEST(Phases, OfEvaluationsEndWithTheNextHeadingOrTotal) {
  EXPECT_EQ(phases_of({{"Epoch 1/2"},
                       {"", 50, 100},
                       {"", 100, 100},
                       {"Validating"},
                       {"", 10, 20},
                       {"", 20, 20},
                       {"Epoch 2/2"},
                       {"", 50, 100}}),
            "tteet");
  EXPECT_EQ(
      phases_of({{"", 100, 100}, {"Validating"}, {"", 20, 20}, {"", 50, 100}, {"", 100, 100}}),
      "tett");
  // Without totals, or with the same, the training needs its headings, too.
  EXPECT_EQ(phases_of({{"Train"},
                       {"", 1},
                       {"", 9},
                       {"Eval"},
                       {"", 1},
                       {"", 9},
                       {"Train"},
                       {"", 1},
                       {"", 9},
                       {"Eval"},
                       {"", 1}}),
            "tteette");
}

TEST(Phases, GoOnAfterEvaluationsThatPrintNothingAlike) {
  EXPECT_EQ(phases_of({{"", 10, 100}, {"Evaluating"}, {"", 20, 100}, {"", 30, 100}}), "ttt");
  EXPECT_EQ(phases_of({{"", 10}, {"Evaluating"}, {"", 20}, {"Evaluating"}, {"", 1}}), "ttt");
  EXPECT_EQ(phases_of({{"Evaluating"}, {"", 10, 100}, {"", 20, 100}}), "tt");
  // Headings of evaluations only: at most one pass is taken for one.
  EXPECT_EQ(
      phases_of(
          {{"Train"}, {"", 9}, {"Eval"}, {"", 1}, {"", 9}, {"", 1}, {"", 9}, {"Eval"}, {"", 1}}),
      "teettt");
}

}  // namespace
}  // namespace trainmark
