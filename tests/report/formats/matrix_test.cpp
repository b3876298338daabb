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

TEST(MatrixReport, CellsWithTheSameReasonPointAtOne) {
  SampleJournal journal;
  journal.good(SampleJournal::cell("resnet50", "a", 128), 400);
  journal.contents.skips = {{SampleJournal::cell("resnet50", "a", 128, "1n2g"), "one GPU"},
                            {SampleJournal::cell("resnet50", "a", 128, "1n4g"), "no driver"},
                            {SampleJournal::cell("resnet50", "a", 128, "1n8g"), "one GPU"}};
  const std::string text = journal.report("matrix");
  std::vector<std::string> numbers;
  for (std::size_t at = text.find("– ["); at != std::string::npos; at = text.find("– [", at + 1))
    numbers.push_back(text.substr(text.find('[', at), 3));
  EXPECT_EQ(numbers, (std::vector<std::string>{"[1]", "[2]", "[1]"})) << text;
}

}  // namespace
}  // namespace trainmark
