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

TEST(MatrixReport, ATableThatIsTooWideIsSeveralOneBelowTheOther) {
  SampleJournal journal;
  std::vector<std::string> frameworks;
  for (int i = 1; i <= 9; ++i) frameworks.push_back(fmt::format("framework-{}:static", i));
  for (const std::string& framework : frameworks)
    journal.good(SampleJournal::cell("resnet50", framework, 96), 400);
  journal.contents.skips = {
      {SampleJournal::cell("resnet50", frameworks[0], 128, "1n8g"),
       "a reason that is longer than the terminal is wide, and so has to go on in the next line"}};
  const std::string text = journal.report("matrix", Language::en, {80, false, true});
  for (const std::string& framework : frameworks)
    EXPECT_NE(text.find(framework), std::string::npos) << framework << '\n' << text;
  std::size_t figures = 0, titles = 0;
  for (const std::string& line : split(text, '\n')) {
    EXPECT_LE(display_width(line), 80u) << line;
    for (std::size_t at = line.find("400.1"); at != std::string::npos;
         at = line.find("400.1", at + 1))
      ++figures;
    if (line.find("parameters") != std::string::npos) ++titles;
  }
  EXPECT_EQ(figures, frameworks.size()) << text;
  EXPECT_EQ(titles, 3u) << "each begins with what its rows are: " << text;
  const std::string wide = journal.report("matrix");
  EXPECT_EQ(wide.find("parameters"), wide.rfind("parameters")) << wide;
}

TEST(MatrixReport, WarningsThatAreMarkedStandBelow) {
  SampleJournal journal;
  journal.good(SampleJournal::cell("resnet50", "a", 128), 400);
  journal.contents.runs[0].verdicts = {{"throttled", "at 70 % of the clock"}};
  const std::string text = journal.report("matrix");
  EXPECT_LT(text.find("[!] marks a figure with a warning below"),
            text.find("throttled (cells: 1 of 1): at 70 % of the clock"))
      << text;
  EXPECT_NE(text.find("throttled"), std::string::npos) << text;
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
