#include <gtest/gtest.h>

#include "report/sample_journal.h"

namespace trainmark {
namespace {

TEST(TsvReport, HasALinePerResult) {
  SampleJournal journal;
  journal.good(SampleJournal::cell("resnet50", "a", 16), 100);
  journal.failed(SampleJournal::cell("bert\tx", "a"), "timeout", "60 s");
  EXPECT_EQ(journal.report("tsv"),
            "resnet50:full/a/fp32/b16/cuda/1n1g\t100.0 images/s\t\n"
            "bert?x:full/a/fp32/b16/cuda/1n1g\t-\t\n");
}

}  // namespace
}  // namespace trainmark
