// The suites that make the tables of well-known reports ask for every cell of them.

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <set>

#include "suite/plan.h"

namespace trainmark {
namespace {

FrameworkOffer offer_of(const std::string& name, const std::vector<std::string>& modes) {
  FrameworkOffer offer;
  offer.name = offer.title = name;
  offer.program = {"/bin/true"};
  offer.description.devices = {{"cpu", ""}, {"cuda", ""}};
  for (const char* workload :
       {"resnet50", "bert", "deeplabv3p", "arcface", "cyclegan", "se_resnext50", "transformer"}) {
    offer.description.workloads.push_back(
        {.name = workload,
         .title = workload,
         .unit = "items",
         .modes = modes,
         .sizes =
             {{"full",
               8,
               {{"classes", 85742}, {"sequence", 128}, {"sample_rate", 1}, {"resolution", 224}}}},
         .precisions = {{"cuda", {"fp32", "tf32", "amp-fp16", "amp-bf16", "fp16"}}},
         .several_ranks = true});
  }
  return offer;
}

/// A machine that has everything.
Catalog everything() {
  return {{offer_of("libtorch", {"eager", "graph"}),
           offer_of("pytorch", {"eager", "compile", "graph"}),
           offer_of("paddle", {"dygraph", "static"}), offer_of("tensorflow", {"graph", "xla"}),
           offer_of("jax", {"jit"}), offer_of("mxnet", {"hybrid"})}};
}

/// What a table has down its side: "fp32 b128 4n8g", with the batches as they are wished for.
std::set<std::string> rows_of(const Plan& plan) {
  std::set<std::string> rows;
  for (const PlannedCell& planned : plan.cells) {
    const std::string key = planned.cell.key();
    const auto first = key.find('/', key.find('/') + 1) + 1;
    rows.insert(key.substr(first));
  }
  return rows;
}

Plan plan_named(const std::string& name) {
  const Plan plan = make_plan(load_suite(name, TRAINMARK_SOURCE), everything());
  EXPECT_TRUE(plan.skipped.empty()) << name;
  return plan;
}

using Rows = std::set<std::string>;

TEST(FoundingSuites, ResNet50HasEveryRowForEveryFramework) {
  const Plan plan = plan_named("founding-resnet50");
  EXPECT_EQ(rows_of(plan),
            (Rows{"fp32/bmax128/cuda/1n1g", "fp32/bmax128/cuda/1n8g", "fp32/bmax128/cuda/4n8g",
                  "amp-fp16/bmax128/cuda/1n1g", "amp-fp16/bmax128/cuda/1n8g",
                  "amp-fp16/bmax128/cuda/4n8g", "amp-fp16/bmax256/cuda/1n1g",
                  "amp-fp16/bmax256/cuda/1n8g", "amp-fp16/bmax256/cuda/4n8g"}));
  EXPECT_EQ(plan.cells.size(), 9U * 11U);
}

TEST(FoundingSuites, BertAccumulatesToTheSameStepOnFourNodes) {
  const Plan plan = plan_named("founding-bert");
  EXPECT_EQ(rows_of(plan).size(), 2U * 2U * 3U + 4U);
  std::size_t accumulated = 0;
  for (const PlannedCell& planned : plan.cells) {
    const Cell& cell = planned.cell;
    if (cell.accumulate == 1) continue;
    ++accumulated;
    EXPECT_EQ(cell.batch * cell.accumulate * cell.scale.ranks(), 67584) << cell.key();
  }
  EXPECT_EQ(accumulated, 4U * 10U);
}

TEST(FoundingSuites, OthersHaveTheScalesOfTheirReports) {
  EXPECT_EQ(rows_of(plan_named("founding-deeplabv3p")).size(), 3U * 4U);
  EXPECT_EQ(rows_of(plan_named("founding-arcface")),
            (Rows{"fp32/bmax128/cuda/1n1g", "fp32/bmax128/cuda/1n4g", "fp32/bmax128/cuda/1n8g",
                  "fp32/bmax128/cuda/2n8g", "fp32/bmax128/cuda/4n8g"}));
  EXPECT_EQ(plan_named("founding-models").cells.size(), 9U + 7U + 7U + 10U + 10U);
}

TEST(FoundingSuites, TheLargestAreSearchedOneDimensionAtATime) {
  std::set<std::string> searched;
  for (const PlannedCell& planned : plan_named("founding-largest").cells)
    searched.insert(planned.cell.workload + " " + planned.cell.searched());
  EXPECT_EQ(searched, (Rows{"arcface classes", "bert sequence", "deeplabv3p resolution",
                            "resnet50 batch", "resnet50 resolution"}));
}

TEST(FoundingSuites, IdentitiesAreSearchedOnOneGpuAndOnMany) {
  std::map<std::string, Rows> scales;
  for (const PlannedCell& planned : plan_named("founding-largest").cells)
    if (planned.cell.workload == "arcface")
      scales[planned.cell.framework].insert(planned.cell.scale.text());
  for (const char* sharding : {"libtorch:eager", "pytorch:eager", "paddle:dygraph"})
    EXPECT_EQ(scales[sharding], (Rows{"1n1g", "1n8g", "4n8g"})) << sharding;
  for (const char* recorded : {"libtorch:graph", "pytorch:graph", "paddle:static"})
    EXPECT_EQ(scales[recorded], Rows{"1n1g"}) << recorded;
}

TEST(FoundingSuites, ShowEveryCellWithItsReasonWhereThereIsNoGpu) {
  Catalog nothing = everything();
  for (FrameworkOffer& offer : nothing.frameworks) offer.description.devices[1].missing = "no GPU";
  for (const char* name : {"founding-resnet50", "founding-bert", "founding-deeplabv3p",
                           "founding-arcface", "founding-models", "founding-largest"}) {
    const Plan plan = make_plan(load_suite(name, TRAINMARK_SOURCE), nothing);
    EXPECT_TRUE(plan.waits_for_a_machine()) << name;
    EXPECT_EQ(plan.skipped.size(), plan_named(name).cells.size()) << name;
    for (const SkippedCell& skipped : plan.skipped) EXPECT_EQ(skipped.reason, "no GPU");
  }
}

TEST(Suites, OfOneGpuHaveEveryPrecisionAtTheSameBatches) {
  const auto batches = [](const Plan& plan) {
    std::map<std::string, std::set<int>> of_workloads;
    for (const PlannedCell& planned : plan.cells)
      of_workloads[planned.cell.workload].insert(planned.cell.batch);
    return of_workloads;
  };
  const Plan plan = plan_named("h200-precisions");
  EXPECT_EQ(plan.cells.size(), 7U * 5U * 2U);
  EXPECT_EQ(batches(plan), batches(plan_named("h200")));
}

TEST(Suites, OfTheProjectCanAllBeRead) {
  const auto suites = list_suites(TRAINMARK_SOURCE);
  EXPECT_GE(suites.size(), 13U);
  for (const auto& [name, title] : suites) EXPECT_FALSE(title.starts_with("not valid")) << name;
}

}  // namespace
}  // namespace trainmark
