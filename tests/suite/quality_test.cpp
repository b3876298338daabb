// Suites that train to a quality: which cells they have, and which are skipped.

#include <gtest/gtest.h>

#include "base/error.h"
#include "suite/plan.h"
#include "suite/sample_catalog.h"
#include "temporary_folder.h"

namespace trainmark {
namespace {

/// resnet50 can be trained to a quality by libtorch, and by jax it cannot.
class QualitySuite : public testing::Test {
 protected:
  QualitySuite() : catalog_(sample_catalog()) {
    for (FrameworkOffer& offer : catalog_.frameworks) {
      if (offer.description.workloads.empty()) continue;
      WorkloadDescription& workload = offer.description.workloads.front();
      workload.data = {"imagefolder"};
      if (offer.name == "libtorch") workload.quality = QualityDescription{"accuracy", true, 0.9, 6};
    }
    std::filesystem::create_directory(folder_ / "flowers");
  }

  Suite suite(const std::string& matrix, const std::string& more = "") const {
    return parse_suite("matrix: {workload: resnet50, size: small, batch: 8, " + matrix +
                           "}\nmeasure: {rule: quality}\n" + more,
                       (folder_ / "s.yaml").string());
  }

  Plan plan(const std::string& matrix) const { return make_plan(suite(matrix), catalog_); }

  TemporaryFolder folder_;
  Catalog catalog_;
};

TEST_F(QualitySuite, TrainsInOneWay) {
  const Plan made = plan("framework: libtorch, data: flowers");
  ASSERT_EQ(made.cells.size(), 1U);
  EXPECT_EQ(made.cells[0].cell.key(),
            "resnet50:small,data=flowers/libtorch:eager/fp32/b8/cpu/1n1g");
  EXPECT_EQ(plan("framework: libtorch, data: flowers, input: both").cells.size(), 1U);
}

TEST_F(QualitySuite, SkipsWhatHasNoDataSet) {
  const Plan made = plan("framework: libtorch, data: [synthetic, flowers]");
  EXPECT_EQ(made.cells.size(), 1U);
  ASSERT_EQ(made.skipped.size(), 1U);
  EXPECT_NE(made.skipped[0].reason.find("needs a data set; write `data: PATH`"), std::string::npos);
}

TEST_F(QualitySuite, SkipsWhatHasNoRecipe) {
  const Plan made = plan("framework: [jax, libtorch], data: flowers");
  EXPECT_EQ(made.cells.size(), 1U);
  ASSERT_EQ(made.skipped.size(), 1U);
  EXPECT_EQ(made.skipped[0].reason,
            "jax cannot train resnet50 to a quality: it has no recipe and no evaluation");
}

TEST_F(QualitySuite, HasADayForARun) {
  EXPECT_EQ(suite("framework: libtorch").run_limit(), 86400);
  EXPECT_EQ(suite("framework: libtorch", "time_limit: 2m").run_limit(), 120);
  EXPECT_EQ(parse_suite("matrix: {workload: resnet50}", "s.yaml").run_limit(), 600);
}

TEST_F(QualitySuite, GivesTrainersWhatDiffersFromTheirRecipe) {
  const Cell cell = plan("framework: libtorch, data: flowers").cells.at(0).cell;
  const auto words = trainer_arguments(cell, 3, 10, "d", QualityArguments{.epochs = 2});
  EXPECT_EQ(std::vector(words.end() - 5, words.end()),
            (std::vector<std::string>{"--data", "d", "--quality", "--epochs", "2"}));
}

}  // namespace
}  // namespace trainmark
