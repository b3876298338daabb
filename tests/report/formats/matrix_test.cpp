#include <gtest/gtest.h>

#include "report/sample_journal.h"

namespace trainmark {
namespace {

TEST(MatrixReport, HasFrameworksAcrossAndWhatIsMissing) {
  SampleJournal journal;
  journal.good(SampleJournal::cell("resnet50", "a", 128), 400)
      .good(SampleJournal::cell("resnet50", "b", 96), 380);
  journal.contents.skips = {{SampleJournal::cell("resnet50", "a", 128, "1n8g"), "one \x1b[2J GPU"}};
  const std::string text = journal.report("matrix");
  EXPECT_NE(text.find("resnet50 full cuda fp32, images/s\n"), std::string::npos) << text;
  EXPECT_NE(text.find("380.1 [BS=96]"), std::string::npos) << text;
  EXPECT_NE(text.find("GPU=8,BS=128"), std::string::npos) << text;
  EXPECT_NE(text.find("– [1]"), std::string::npos) << text;
  EXPECT_NE(text.find("[1] one ?[2J GPU\n"), std::string::npos) << text;
}

}  // namespace
}  // namespace trainmark
