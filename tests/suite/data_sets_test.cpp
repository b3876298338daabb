#include "suite/data_sets.h"

#include <gtest/gtest.h>

#include "base/error.h"
#include "suite/plan.h"
#include "suite/sample_catalog.h"
#include "temporary_folder.h"

namespace trainmark {
namespace {

using Keys = std::vector<std::string>;

/// resnet50 can be read by libtorch, and by jax it cannot.
class DataOfASuite : public testing::Test {
 protected:
  DataOfASuite() : catalog_(sample_catalog()) {
    for (FrameworkOffer& offer : catalog_.frameworks)
      if (offer.name == "libtorch")
        offer.description.workloads.front().data = {"imagefolder", "webdataset"};
    std::filesystem::create_directory(folder_ / "flowers");
  }

  Suite suite(const std::string& matrix) const {
    return parse_suite("matrix: {workload: resnet50, size: small, batch: 8, " + matrix + "}",
                       (folder_ / "s.yaml").string());
  }

  Plan plan(const std::string& matrix) const { return make_plan(suite(matrix), catalog_); }

  Keys keys(const std::string& matrix) const {
    Keys result;
    for (const PlannedCell& planned : plan(matrix).cells) result.push_back(planned.cell.key());
    return result;
  }

  std::string refusal(const std::string& matrix) const {
    try {
      plan(matrix);
    } catch (const UserError& error) {
      return error.what();
    }
    return "accepted";
  }

  TemporaryFolder folder_;
  Catalog catalog_;
};

const std::string rest = "/libtorch:eager/fp32/b8/cpu/1n1g";

TEST_F(DataOfASuite, AreMeasuredInThreeWays) {
  EXPECT_EQ(keys("framework: libtorch, data: flowers/"),
            (Keys{"resnet50:small" + rest, "resnet50:small,data=flowers,input=pipeline" + rest,
                  "resnet50:small,data=flowers" + rest}));
  EXPECT_EQ(keys("framework: libtorch"), Keys{"resnet50:small" + rest});
}

TEST_F(DataOfASuite, MayNameTheWays) {
  EXPECT_EQ(keys("framework: libtorch, data: flowers, input: both"),
            Keys{"resnet50:small,data=flowers" + rest});
  EXPECT_EQ(keys("framework: libtorch, data: [synthetic, flowers], input: [step, both]"),
            (Keys{"resnet50:small" + rest, "resnet50:small,data=flowers" + rest}));
}

TEST_F(DataOfASuite, ShareTheStepThatTheyAreComparedWith) {
  const Keys all = {"resnet50:small" + rest, "resnet50:small,data=flowers,input=pipeline" + rest,
                    "resnet50:small,data=flowers" + rest};
  EXPECT_EQ(keys("framework: libtorch, data: [synthetic, flowers]"), all);
  EXPECT_EQ(keys("framework: libtorch, data: [flowers, synthetic]"), all);
}

TEST_F(DataOfASuite, AreGivenToTrainersByTheirPath) {
  const Suite own = suite("framework: libtorch, data: flowers");
  const std::filesystem::path path = data_sets(own).at("flowers");
  EXPECT_EQ(path, std::filesystem::canonical(folder_ / "flowers")) << "relative to the suite";
  Cell cell = make_plan(own, catalog_).cells.at(1).cell;
  const std::vector<std::string> words = trainer_arguments(cell, 1, 10, path);
  EXPECT_EQ(std::vector(words.end() - 3, words.end()),
            (std::vector<std::string>{"--data", path.string(), "--input-only"}));
  cell.data.clear();
  cell.input.clear();
  for (const std::string& word : trainer_arguments(cell, 1, 10)) EXPECT_NE(word, "--data");
}

TEST_F(DataOfASuite, ThatATrainerCannotReadAreSkippedWithTheReason) {
  const Plan made = plan("framework: [jax, libtorch], data: flowers");
  ASSERT_EQ(made.skipped.size(), 2U);
  for (const SkippedCell& skipped : made.skipped)
    EXPECT_EQ(skipped.reason, "jax trains resnet50 on synthetic data only");
  EXPECT_EQ(made.cells.size(), 4U) << "jax' step, and all of libtorch";
}

TEST_F(DataOfASuite, MustBeThereAndHaveNamesOfTheirOwn) {
  EXPECT_NE(refusal("framework: libtorch, data: weeds").find("weeds was not found"),
            std::string::npos);
  std::filesystem::create_directories(folder_ / "other" / "flowers");
  EXPECT_NE(refusal("framework: libtorch, data: [flowers, other/flowers]")
                .find("are both called 'flowers' in reports"),
            std::string::npos);
  EXPECT_NE(refusal("framework: libtorch, data: flowers, input: all").find("'input' must be step"),
            std::string::npos);
  EXPECT_NE(refusal("framework: libtorch, input: pipeline").find("the matrix is empty"),
            std::string::npos);
}

}  // namespace
}  // namespace trainmark
