#include <gtest/gtest.h>

#include "base/text.h"
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

/// That `framework` trains the same as libtorch:eager, or does not.
Proof proof_of(const std::string& framework, const std::vector<std::string>& differs = {}) {
  Proof proof;
  proof.cell = SampleJournal::cell("resnet50", framework, 2);
  proof.reference = "libtorch:eager";
  proof.versions = {{proof.cell.framework_name(), "2.0"}};
  proof.reference_versions = {{"libtorch", "2.0"}};
  proof.tensors = TensorDifferences{};
  proof.differs = differs;
  return proof;
}

TEST(MatrixReport, MarksWhatIsProvenOfEachFigure) {
  SampleJournal journal;
  for (const char* framework : {"libtorch:eager", "libtorch:graph", "jax:jit", "paddle:static"})
    journal.good(SampleJournal::cell("resnet50", framework, 128), 400);
  EXPECT_EQ(journal.report("matrix").find("verified"), std::string::npos) << "nothing was compared";
  journal.contents.proofs = {proof_of("libtorch:graph"), proof_of("jax:jit", {"the gradients"})};
  const std::string text = journal.report("matrix");
  std::vector<std::string> marks;
  const std::string figure = "400.1";
  for (std::size_t at = text.find(figure); at != std::string::npos;
       at = text.find(figure, at + 1)) {
    const std::size_t end = text.find_first_of("]\n", at), begin = at + figure.size();
    marks.emplace_back(trim(std::string_view(text).substr(begin, end + 1 - begin)));
  }
  EXPECT_EQ(marks, (std::vector<std::string>{"[=]", "[=]", "[≠]", ""})) << text;
  EXPECT_NE(text.find("[=] marks a figure that is verified"), std::string::npos) << text;

  ReportOptions ascii;
  ascii.unicode = false;
  EXPECT_NE(journal.report("matrix", Language::en, ascii).find("400.1 [!=]"), std::string::npos);
}

}  // namespace
}  // namespace trainmark
