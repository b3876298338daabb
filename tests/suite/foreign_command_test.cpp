#include "suite/foreign_command.h"

#include <gtest/gtest.h>

#include "base/error.h"
#include "base/text.h"
#include "suite/plan.h"
#include "suite/sample_catalog.h"

namespace trainmark {
namespace {

std::string suite_with(const std::string& framework,
                       const std::string& matrix = "framework: mine") {
  return "matrix: {" + matrix + "}\nframeworks:\n  mine: {" + framework + "}\n";
}

Suite parsed(const std::string& framework, const std::string& matrix = "framework: mine") {
  return parse_suite(suite_with(framework, matrix), "s.yaml");
}

Catalog catalog_with_command(bool gpu = false) {
  Catalog catalog = sample_catalog(gpu);
  FrameworkOffer offer;
  offer.name = "mine";
  offer.foreign = true;
  offer.description.devices = {{"cpu", ""}, {"cuda", gpu ? "" : "there is no GPU"}};
  WorkloadDescription workload;
  workload.name = "resnet50";
  workload.unit = "images";
  workload.sizes = {{"full", 0}};
  offer.description.workloads = {workload};
  catalog.frameworks.push_back(offer);
  return catalog;
}

Plan planned(const std::string& framework, const std::string& matrix = "framework: mine",
             bool gpu = false) {
  return make_plan(parsed(framework, matrix), catalog_with_command(gpu));
}

std::string refusal(const std::function<void()>& action) {
  try {
    action();
  } catch (const UserError& error) {
    return error.what();
  }
  return "accepted";
}

std::string command_of(const std::string& framework, const Cell& cell, int node = 0) {
  const Suite suite = parsed(framework);
  const FrameworkSettings& own = suite.frameworks.at("mine");
  return shell_line(words_of_command(*own.foreign, own.arguments, {cell, 7, 1000, node}));
}

Cell cell_of(int batch, Scale scale, const std::string& precision = "fp32") {
  Cell cell;
  cell.workload = "resnet50";
  cell.size = "full";
  cell.framework = "mine";
  cell.precision = precision;
  cell.batch = batch;
  cell.accumulate = 2;
  cell.device = "cuda";
  cell.scale = scale;
  return cell;
}

TEST(ForeignCommand, FillsInTheCell) {
  EXPECT_EQ(command_of("command: [train, '-b={batch}', '{global_batch}', '{step_batch}', "
                       "'{gpu_list}', '{seed}', '{steps}', '{precision}']",
                       cell_of(32, {1, 4})),
            "train -b=32 128 64 0,1,2,3 7 1000 fp32");
  EXPECT_EQ(command_of("command: [run, '{nodes}', '{per_node}', '{gpus}', '{node}', '{node_name}', "
                       "'{master}', '{node_list}']",
                       cell_of(1, {2, 8}), 1),
            "run 2 8 16 1 NODE-1 NODE-0 NODE-0,NODE-1");
  EXPECT_EQ(command_of("command: [run, '{master}', '{node_list}']", cell_of(1, {1, 8})),
            "run 127.0.0.1 127.0.0.1");
}

TEST(ForeignCommand, LeavesOtherBracesAlone) {
  EXPECT_EQ(command_of("command: [train, '{\"a\": 1}', '{{batch}}', '{}', 'x{']", cell_of(1, {})),
            "train '{\"a\": 1}' '{batch}' '{}' 'x{'");
}

TEST(ForeignCommand, ChangesWithTheCell) {
  const std::string text =
      "command: [launch, train.py], arguments: [-v], when: [{scale: 1n1g, command: [train.py]}, "
      "{precision: 'amp-*', arguments: [--amp]}]";
  EXPECT_EQ(command_of(text, cell_of(1, {1, 8})), "launch train.py -v");
  EXPECT_EQ(command_of(text, cell_of(1, {1, 1}, "amp-fp16")), "train.py -v --amp");
}

TEST(ForeignCommand, KnowsWhatChangesIt) {
  const Suite suite = parsed(
      "command: [a, '{global_batch}'], environment: {X: '{seed}'}, "
      "when: [{precision: fp32, arguments: [b]}]");
  const FrameworkSettings& own = suite.frameworks.at("mine");
  EXPECT_EQ(dimensions_in(*own.foreign, own.texts()),
            (std::set<std::string>{"batch", "precision", "scale"}));
}

TEST(ForeignCommand, IsRefusedWithPlaceAndRemedy) {
  const auto said = [](const std::string& framework) {
    return refusal([&] { parsed(framework); });
  };
  const std::pair<const char*, const char*> cases[] = {
      {"command: []", "the command is empty"},
      {"command: train.py", "must be a list of strings"},
      {"command: [a, '{bacth}']", "did you mean 'batch'?"},
      {"command: [a], arguments: ['{nod}']", "did you mean 'node'?"},
      {"command: [a], environment: {X: '{nods}'}", "{nods}"},
      {"command: [a], program: [b]", "exclude each other"},
      {"command: [a], python: /usr/bin/python3", "begins with its interpreter"},
      {"command: [a], batch: many", "whole number"},
      {"command: [a], workload: a/b", "folder's name"},
      {"command: [a], when: [{arguments: [b]}]", "names no cell"},
      {"command: [a], when: [{batch: 1}]", "changes nothing"},
      {"program: [a], dialect: mmcv", "write their command"},
      {"program: [a], batch: 3", "write their command"}};
  for (const auto& [framework, words] : cases) {
    const std::string message = said(framework);
    EXPECT_NE(message.find(words), std::string::npos) << framework << "\n" << message;
    EXPECT_NE(message.find("s.yaml:3"), std::string::npos) << message;
  }
}

TEST(Plan, OfACommandInventsNothing) {
  const Plan plan = planned("command: [a]", "framework: mine", true);
  ASSERT_EQ(plan.cells.size(), 1U);
  EXPECT_EQ(plan.cells[0].cell.key(), "resnet50:full/mine/unknown/b?/unknown/1n1g");
  EXPECT_TRUE(plan.cells[0].said.empty());
  // Without a GPU there is no doubt about the device.
  EXPECT_EQ(planned("command: [a]").cells[0].cell.device, "cpu");
}

TEST(Plan, OfACommandKnowsTwoDevices) {
  EXPECT_NE(refusal([] {
              planned("command: [a], device: gpu");
            }).find("s.yaml:3: unknown device 'gpu'; write cpu, cuda"),
            std::string::npos);
}

TEST(Plan, OfACommandDividesTheGpusAmongTheNodes) {
  Catalog catalog = catalog_with_command();
  catalog.frameworks.back().elsewhere = true;
  const Plan plan =
      make_plan(parsed("command: [a], gpus: 16, nodes: 2", "framework: mine"), catalog);
  ASSERT_EQ(plan.cells.size(), 1U);
  EXPECT_EQ(plan.cells[0].cell.scale.text(), "2n8g");
}

TEST(Plan, OfACommandSaysWhoSaidWhat) {
  const Plan plan = planned("command: [a], batch: 96, gpus: 8, precision: tf32, device: cuda",
                            "framework: mine, precision: amp-fp16");
  ASSERT_EQ(plan.cells.size(), 1U);
  EXPECT_EQ(plan.cells[0].cell.key(), "resnet50:full/mine/amp-fp16/b96/cuda/1n8g");
  EXPECT_EQ(plan.cells[0].said.at("precision"), "the matrix");
  EXPECT_EQ(plan.cells[0].said.at("batch"), "s.yaml:3");
  EXPECT_FALSE(plan.cells[0].said.contains("nodes"));
}

TEST(Plan, OfACommandFollowsTheMatrixOnlyWhereTheCommandDoes) {
  EXPECT_EQ(planned("command: [a, '{batch}']", "framework: mine, batch: [1, 2]").cells.size(), 2U);
  const std::string message =
      refusal([] { planned("command: [a]", "framework: mine, batch: [1, 2]"); });
  EXPECT_NE(message.find("{batch}"), std::string::npos) << message;
  EXPECT_NE(message.find("s.yaml:1"), std::string::npos) << message;
}

TEST(Plan, OfACommandForSeveralNodesCanBeShown) {
  Catalog catalog = catalog_with_command();
  catalog.frameworks.back().elsewhere = true;
  const Plan plan = make_plan(parsed("command: [a]", "framework: mine, scale: 4n8g"), catalog);
  ASSERT_EQ(plan.cells.size(), 1U);
  EXPECT_EQ(plan.cells[0].cell.scale.text(), "4n8g");
}

TEST(Plan, OfACommandSaysWhatItNeeds) {
  const auto said = [](const std::string& framework, const std::string& matrix) {
    return refusal([&] { planned(framework, matrix); });
  };
  EXPECT_NE(said("command: [a, '{batch}']", "framework: mine").find("needs a batch"),
            std::string::npos);
  EXPECT_NE(said("command: [a]", "framework: 'mine:fast'").find("has no modes"), std::string::npos);
  EXPECT_NE(said("command: [a], precision: fp31", "framework: mine").find("'fp32'"),
            std::string::npos);
  EXPECT_NE(said("command: [a]", "framework: mine, scale: 4n8g").find("--dry-run"),
            std::string::npos);
  EXPECT_NE(said("command: [a, '{batch}']", "framework: mine, batch: max").find("largest batch"),
            std::string::npos);
}

}  // namespace
}  // namespace trainmark
