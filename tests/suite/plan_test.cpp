#include "suite/plan.h"

#include <gtest/gtest.h>

#include "base/error.h"
#include "suite/sample_catalog.h"

namespace trainmark {
namespace {

std::vector<std::string> keys(const Plan& plan) {
  std::vector<std::string> result;
  for (const auto& planned : plan.cells) result.push_back(planned.cell.key());
  return result;
}

Plan plan_of(const std::string& text, const Catalog& catalog = sample_catalog()) {
  return make_plan(parse_suite(text, "s.yaml"), catalog);
}

std::string plan_refusal(const std::string& text, const Catalog& catalog = sample_catalog()) {
  try {
    plan_of(text, catalog);
  } catch (const UserError& error) {
    return error.what();
  }
  return "accepted";
}

using Keys = std::vector<std::string>;

TEST(Plan, IsTheProductOfItsDimensions) {
  const Plan plan = plan_of(
      "matrix: {workload: resnet50, framework: [jax, libtorch:graph], "
      "batch: [8, 16], size: small}");
  EXPECT_EQ(keys(plan), (Keys{"resnet50:small/jax:eager/fp32/b8/cpu/1n1g",
                              "resnet50:small/libtorch:graph/fp32/b8/cpu/1n1g",
                              "resnet50:small/jax:eager/fp32/b16/cpu/1n1g",
                              "resnet50:small/libtorch:graph/fp32/b16/cpu/1n1g"}));
  EXPECT_EQ(plan.cells[0].unit, "images");
}

TEST(Plan, TakesTheTrainersBatchAndTheBestDevice) {
  EXPECT_EQ(keys(plan_of("matrix: {workload: bert, framework: libtorch}")),
            Keys{"bert:full/libtorch:eager/fp32/b128/cpu/1n1g"});
  EXPECT_EQ(keys(plan_of("matrix: {workload: bert, framework: libtorch}", sample_catalog(true))),
            Keys{"bert:full/libtorch:eager/fp32/b128/cuda/1n1g"});
}

TEST(Plan, AllMeansWhatCanBeUsedHere) {
  const Plan plan = plan_of("matrix: {size: tiny}");
  EXPECT_EQ(keys(plan), (Keys{"bert:tiny/libtorch:eager/fp32/b2/cpu/1n1g",
                              "resnet50:tiny/jax:eager/fp32/b2/cpu/1n1g",
                              "resnet50:tiny/libtorch:eager/fp32/b2/cpu/1n1g"}));
  EXPECT_TRUE(plan.skipped.empty());
}

TEST(Plan, SaysWhyANamedCellIsNotPossible) {
  const Plan plan = plan_of(
      "matrix: {workload: [bert, resnet50], framework: [jax, libtorch, paddle], "
      "precision: [fp32, amp-fp16], scale: [1n1g, 1n2g]}");
  const auto reason = [&](const std::string& key) -> std::string {
    for (const auto& skip : plan.skipped) {
      if (skip.cell.key().starts_with(key)) return skip.reason;
    }
    return "not skipped";
  };
  EXPECT_EQ(reason("bert:full/jax"), "jax has no workload bert");
  EXPECT_EQ(reason("bert:full/paddle"), "paddle is not installed");
  EXPECT_EQ(reason("bert:full/libtorch:eager/amp-fp16"),
            "libtorch cannot train bert in amp-fp16 on cpu");
  EXPECT_EQ(reason("bert:full/libtorch:eager/fp32/b128/cpu/1n2g"),
            "libtorch trains bert in one process only");
}

TEST(Plan, ExclusionsTakeCellsOut) {
  const Plan plan = plan_of(
      "matrix: {size: tiny}\n"
      "exclude:\n  - {workload: resnet50, framework: jax}\n"
      "  - {workload: be*}\n  - {batch: 77}\n");
  EXPECT_EQ(keys(plan), Keys{"resnet50:tiny/libtorch:eager/fp32/b2/cpu/1n1g"});
  EXPECT_EQ(plan.notes, Keys{"s.yaml:5: this exclusion matches no cell"});
  // What the suite does not say is excluded by the value that it gets.
  EXPECT_EQ(keys(plan_of("matrix: {size: tiny, framework: libtorch, workload: [resnet50, bert]}\n"
                         "exclude:\n  - {workload: bert, batch: 2, precision: fp32}\n")),
            Keys{"resnet50:tiny/libtorch:eager/fp32/b2/cpu/1n1g"});
}

TEST(Plan, RefusesUnknownNamesWithTheNearestOne) {
  EXPECT_NE(plan_refusal("matrix:\n  workload: resnet51\n")
                .find("s.yaml:2: unknown workload 'resnet51'; "
                      "did you mean 'resnet50'"),
            std::string::npos);
  EXPECT_NE(plan_refusal("matrix: {framework: libtorhc}").find("'libtorch'"), std::string::npos);
  EXPECT_NE(plan_refusal("matrix: {framework: libtorch:grph}").find("'libtorch:graph'"),
            std::string::npos);
  EXPECT_NE(plan_refusal("matrix: {precision: fp23}").find("'fp32'"), std::string::npos);
  EXPECT_NE(plan_refusal("matrix: {device: cdua}").find("write auto, cpu, cuda"),
            std::string::npos);
  EXPECT_NE(plan_refusal("matrix: {size: smal}").find("'small'"), std::string::npos);
  EXPECT_NE(plan_refusal("matrix: {scale: 8g}").find("1n8g"), std::string::npos);
  EXPECT_NE(plan_refusal("matrix: {batch: big}").find("whole number"), std::string::npos);
  EXPECT_NE(plan_refusal("matrix: {batch: 0}").find("whole number"), std::string::npos);
  EXPECT_NE(plan_refusal("matrix: {accumulate: -1}").find("whole number"), std::string::npos);
}

TEST(Plan, RefusesACellThatStandsTwice) {
  EXPECT_NE(plan_refusal("matrix:\n  - {workload: bert}\n  - {workload: bert, batch: 128}\n")
                .find("s.yaml:3: duplicate cell"),
            std::string::npos);
  EXPECT_NE(
      plan_refusal("matrix: {workload: resnet50, framework: [jax, jax:eager]}").find("duplicate"),
      std::string::npos);
}

TEST(Plan, TakesACellOnceWhereTheCommandLineMakesBlocksAlike) {
  Suite suite = parse_suite(
      "matrix:\n  - {workload: resnet50, framework: libtorch}\n  - {workload: resnet50, framework: "
      "jax}\n",
      "s.yaml");
  override_dimension(suite, "framework", {"libtorch"});
  EXPECT_EQ(make_plan(suite, sample_catalog()).cells.size(), 1u);
  override_dimension(suite, "framework", {"jax", "jax:eager"});
  EXPECT_THROW(make_plan(suite, sample_catalog()), UserError) << "within a block it is a mistake";
}

TEST(Plan, RefusesAnEmptyMatrix) {
  EXPECT_NE(plan_refusal("matrix: {workload: bert}\nexclude: [{workload: bert}]").find("empty"),
            std::string::npos);
  EXPECT_NE(plan_refusal("matrix: {workload: bert, framework: jax}")
                .find("the matrix is empty: no cell can be measured here; bert:full/jax"),
            std::string::npos)
      << "no machine could";
}

TEST(Plan, OfWhatThisMachineLacksIsAPlanNevertheless) {
  const Plan plan = plan_of(
      "matrix: {workload: resnet50, framework: [paddle, libtorch], device: cuda, batch: 8}");
  EXPECT_TRUE(plan.waits_for_a_machine());
  ASSERT_EQ(plan.skipped.size(), 2U);
  EXPECT_EQ(plan.skipped[0].reason, "paddle is not installed");
  EXPECT_EQ(plan.skipped[1].reason, "there is no GPU");
  EXPECT_FALSE(
      plan_of("matrix: {workload: resnet50, framework: [paddle, libtorch]}").waits_for_a_machine());
  EXPECT_EQ(plan_refusal("matrix: {workload: bert, framework: [jax, libtorch], device: cuda}"),
            "accepted")
      << "one of them could";
  EXPECT_THROW(refuse_empty(parse_suite("matrix: {workload: bert}", "s.yaml"), plan), UserError);
}

TEST(Plan, AProgramThatTheSuiteNamesMustBeThere) {
  EXPECT_NE(plan_refusal("matrix: {workload: resnet50, framework: paddle}\n"
                         "frameworks: {paddle: {program: [/bin/paddle]}}")
                .find("paddle is not installed"),
            std::string::npos);
}

TEST(Plan, RefusesMillionsOfCellsWithTheirNumberBeforeExpandingThem) {
  std::string text = "matrix:\n  batch: [1";
  for (int i = 2; i <= 1000; ++i) text += "," + std::to_string(i);
  text += "]\n  accumulate: [1";
  for (int i = 2; i <= 1000; ++i) text += "," + std::to_string(i);
  text += "]\n  workload: bert\n  framework: libtorch\n";
  const std::string message = plan_refusal(text);
  EXPECT_NE(message.find("1000000 cells"), std::string::npos) << message;
  EXPECT_NE(message.find("more than the limit of 100000"), std::string::npos) << message;
}

TEST(Only, KeepsWhatMatches) {
  Plan plan = plan_of("matrix: {size: tiny}");
  keep_only(plan, {"jax"});
  EXPECT_EQ(keys(plan), Keys{"resnet50:tiny/jax:eager/fp32/b2/cpu/1n1g"});
  plan = plan_of("matrix: {size: tiny}");
  keep_only(plan, {"bert*", "*/jax:*"});
  EXPECT_EQ(plan.cells.size(), 2U);
  EXPECT_THROW(keep_only(plan, {"vgg"}), UserError);
}

TEST(Only, MayLeaveWhatWaitsForAnotherMachine) {
  const std::string suite =
      "matrix: {workload: [bert, resnet50], framework: [jax, libtorch, paddle], device: cuda}";
  Plan plan = plan_of(suite);
  keep_only(plan, {"libtorch"});
  EXPECT_TRUE(plan.waits_for_a_machine());
  EXPECT_EQ(plan.skipped.size(), 2U);
  EXPECT_THROW(keep_only(plan, {"vgg"}), UserError);
  plan = plan_of(suite);
  EXPECT_THROW(keep_only(plan, {"bert*/jax*"}), UserError) << "no machine can measure it";
}

TEST(Plan, ModesOfOneDeviceAreLeftOutOnOthers) {
  Catalog catalog = sample_catalog();
  for (auto& framework : catalog.frameworks)
    for (auto& workload : framework.description.workloads)
      workload.mode_devices = {{"graph", {"cuda"}}};
  const Suite suite = parse_suite(
      "matrix: {workload: resnet50, framework: [\"libtorch:eager\", \"libtorch:graph\"]}\n",
      "s.yaml");
  const Plan plan = make_plan(suite, catalog);
  ASSERT_EQ(plan.cells.size(), 1U);
  EXPECT_EQ(plan.cells[0].cell.framework, "libtorch:eager");
  ASSERT_EQ(plan.skipped.size(), 1U);
  EXPECT_NE(plan.skipped[0].reason.find("only for cuda"), std::string::npos);
}

TEST(Plan, NeedsRoomForItsLargestCells) {
  Plan plan;
  EXPECT_EQ(largest_scale(plan), (Scale{1, 1}));
  for (const Scale scale : {Scale{4, 2}, Scale{1, 8}, Scale{2, 4}}) {
    PlannedCell planned;
    planned.cell.scale = scale;
    plan.cells.push_back(planned);
  }
  EXPECT_EQ(largest_scale(plan), (Scale{4, 8}));
}

TEST(Plan, AShapeThatTheSizeHasAnywayIsNoOtherCell) {
  const Plan plan =
      plan_of("matrix: {workload: resnet50, framework: jax, size: small, resolution: [112, 160]}");
  EXPECT_EQ(keys(plan), (Keys{"resnet50:small/jax:eager/fp32/b8/cpu/1n1g",
                              "resnet50:small,resolution=160/jax:eager/fp32/b8/cpu/1n1g"}));
  EXPECT_EQ(plan.cells[1].default_shapes.at("resolution"), 112);
  EXPECT_NE(plan_refusal("matrix: {workload: resnet50, framework: jax, resolution: [224, default]}")
                .find("duplicate cell"),
            std::string::npos);
}

TEST(Plan, SaysWhichShapesCannotBeSetOrSearched) {
  const auto reason = [](const std::string& words) {
    const Plan plan = plan_of("matrix: [{workload: resnet50, framework: jax, size: small, " +
                                  words + "}, {workload: resnet50, framework: jax, size: small}]",
                              sample_catalog(true));
    return plan.skipped.size() == 1 ? plan.skipped[0].reason : "";
  };
  EXPECT_EQ(reason("sequence: 512"), "jax cannot change the sequence of resnet50");
  EXPECT_EQ(reason("batch: max, classes: max"),
            "one dimension can be 'max', and these are: batch, classes");
  EXPECT_EQ(reason("batch: at most 64, classes: max"),
            "the batch must be a number where classes is 'max'");
  EXPECT_NE(reason("classes: max, device: cpu").find("would fill the host's"), std::string::npos);
  EXPECT_EQ(reason("classes: max, device: cuda"), "");
}

TEST(Plan, AWishForABatchIsPlannedOnEveryDevice) {
  EXPECT_EQ(
      keys(plan_of("matrix: {workload: resnet50, framework: jax, size: small, batch: [at most "
                   "128, 64]}")),
      (Keys{"resnet50:small/jax:eager/fp32/bmax128/cpu/1n1g",
            "resnet50:small/jax:eager/fp32/b64/cpu/1n1g"}));
}

}  // namespace
}  // namespace trainmark
