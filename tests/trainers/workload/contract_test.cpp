#include "workload/contract.h"

#include <gtest/gtest.h>
#include <torch/types.h>

#include "../models/support.h"
#include "base/error.h"
#include "base/registry.h"
#include "common/failure.h"

namespace trainmark::train {
namespace {

const std::string plain_contract = R"(
title: A workload
unit: images
metric: accuracy
data: labelled-images
inputs: {images: [batch, 3, side, side], labels: [batch]}
sizes: {tiny: {side: 8, batch: 4}}
optimizer: {kind: sgd, learning_rate: 1.0e-4, momentum: 0.9}
)";

Contract parse(const std::string& yaml) {
  return parse_contract("it", {.file = "workloads/it.yaml", .yaml = yaml});
}

/// What is wrong with the plain contract, once `from` was replaced by `to`.
std::string fault_of(const std::string& from, const std::string& to) {
  std::string yaml = plain_contract;
  yaml.replace(yaml.find(from), from.size(), to);
  try {
    parse(yaml);
  } catch (const std::runtime_error& error) {
    return error.what();
  }
  return "";
}

TEST(Contract, HasWhatTheFileSays) {
  const Contract contract = parse(plain_contract);
  EXPECT_EQ(contract.title, "A workload");
  EXPECT_EQ(contract.inputs.at(0).name, "images");
  EXPECT_EQ(contract.inputs.at(0).shape, (std::vector<std::string>{"batch", "3", "side", "side"}));
  EXPECT_EQ(contract.size("tiny").at("side"), 8);
  EXPECT_EQ(contract.smallest_batch, 1);
  EXPECT_FALSE(contract.can("sampled-classes"));
  const Sgd sgd = std::get<Sgd>(contract.optimizer);
  EXPECT_EQ(sgd.learning_rate, 1e-4);
  EXPECT_EQ(sgd.momentum, 0.9);
  EXPECT_EQ(sgd.weight_decay, 0);
}

TEST(Contract, SaysWhereALossScaleBegins) {
  EXPECT_EQ(parse(plain_contract).first_loss_scale, 65536);
  const std::string careful = std::string(plain_contract) + "first_loss_scale: 1024\n";
  EXPECT_EQ(parse(careful).first_loss_scale, 1024);
}

TEST(Contract, TellsAdamFromAdamW) {
  const auto decoupled = [](const std::string& kind) {
    const std::string sgd = "kind: sgd, learning_rate: 1.0e-4, momentum: 0.9";
    std::string yaml = plain_contract;
    yaml.replace(yaml.find(sgd), sgd.size(),
                 "kind: " + kind + ", learning_rate: 1, beta1: 0.9, beta2: 0.98, epsilon: 1.0e-6");
    return std::get<Adam>(parse(yaml).optimizer).decoupled;
  };
  EXPECT_TRUE(decoupled("adamw"));
  EXPECT_FALSE(decoupled("adam"));
}

const std::string recipe = R"(training:
  optimizer: {kind: sgd, learning_rate: 0.1, momentum: 0.9, weight_decay: 5.0e-4}
  reference_batch: 128
  decay: matrices
  schedule: {kind: cosine, warm_up: 0.5, epochs: 6}
  label_smoothing: 0.1
  augmentation: shifts
  evaluate_every: 0.25
  target: 0.90
  better: higher
)";

/// What is wrong with the recipe, once `from` was replaced by `to`.
std::string fault_of_recipe(const std::string& from, const std::string& to) {
  std::string yaml = plain_contract + recipe;
  yaml.replace(yaml.find(from, plain_contract.size()), from.size(), to);
  try {
    parse(yaml);
  } catch (const std::runtime_error& error) {
    return error.what();
  }
  return "";
}

TEST(Recipe, IsMissingWhereTheContractHasNone) {
  EXPECT_FALSE(parse(plain_contract).training.has_value());
}

TEST(Recipe, HasWhatTheFileSays) {
  const Recipe read = *parse(plain_contract + recipe).training;
  EXPECT_EQ(std::get<Sgd>(read.optimizer).weight_decay, 5e-4);
  EXPECT_EQ(read.reference_batch, 128);
  EXPECT_EQ(read.decay, Decay::matrices);
  EXPECT_EQ(read.schedule.kind, Schedule::Kind::cosine);
  EXPECT_EQ(read.schedule.warm_up, 0.5);
  EXPECT_EQ(read.schedule.epochs, 6);
  EXPECT_EQ(read.label_smoothing, 0.1);
  EXPECT_EQ(read.augmentation, "shifts");
  EXPECT_EQ(read.evaluate_every, 0.25);
  EXPECT_EQ(read.target, 0.9);
  EXPECT_EQ(read.better, Better::higher);
}

TEST(Recipe, NamesFileAndKeyOfWhatIsWrong) {
  const std::string where = "workloads/it.yaml: training: ";
  EXPECT_EQ(fault_of_recipe("target: 0.90", ""), where + "'target' is missing");
  EXPECT_EQ(fault_of_recipe("target:", "targte: 1\n  target:"), where + "'targte' is unknown");
  EXPECT_EQ(fault_of_recipe("kind: cosine", "kind: step"),
            where + "schedule: there is no 'step'; known: cosine, linear, inverse-sqrt, constant");
  EXPECT_EQ(fault_of_recipe("decay: matrices", "decay: some"),
            where + "'decay': there is no 'some'; known: all, matrices");
  EXPECT_EQ(fault_of_recipe("better: higher", "better: more"),
            where + "'better': there is no 'more'; known: higher, lower");
  EXPECT_EQ(fault_of_recipe("augmentation: shifts", "augmentation: flips"),
            where + "'augmentation': there is no 'flips'; known: resized-crops, shifts, none");
  EXPECT_EQ(fault_of_recipe("reference_batch: 128", "reference_batch: 0"),
            where + "'reference_batch' is 1 or more");
  EXPECT_EQ(fault_of_recipe("label_smoothing: 0.1", "label_smoothing: 1"),
            where + "'label_smoothing' is 1, not below 1");
  EXPECT_NE(fault_of_recipe("epochs: 6", "epochs: 0").find("schedule: 'epochs' is 0"),
            std::string::npos);
  EXPECT_NE(fault_of_recipe("evaluate_every: 0.25", "evaluate_every: -1").find("'evaluate_every'"),
            std::string::npos);
}

TEST(Recipe, TakesWhatTheCommandLineSaysInstead) {
  const Recipe read = *parse(plain_contract + recipe).training;
  QualityOptions instead;
  instead.epochs = 2;
  instead.evaluate_every = 1;
  instead.learning_rate = 0.5;
  instead.weight_decay = 0;
  instead.warm_up = 1;
  instead.label_smoothing = 0;
  const Recipe changed = changed_recipe(read, instead);
  EXPECT_EQ(changed.schedule.epochs, 2);
  EXPECT_EQ(changed.schedule.warm_up, 1);
  EXPECT_EQ(changed.evaluate_every, 1);
  EXPECT_EQ(changed.label_smoothing, 0);
  EXPECT_EQ(std::get<Sgd>(changed.optimizer).learning_rate, 0.5);
  EXPECT_EQ(std::get<Sgd>(changed.optimizer).weight_decay, 0);
  EXPECT_EQ(std::get<Sgd>(changed.optimizer).momentum, 0.9);
}

TEST(Recipe, RefusesToSmoothWhatIsNotLabelled) {
  Recipe read = *parse(plain_contract + recipe).training;
  read.label_smoothing.reset();
  QualityOptions instead;
  instead.label_smoothing = 0.1;
  EXPECT_THROW(changed_recipe(read, instead), UserError);
}

TEST(Contract, NamesFileAndKeyOfWhatIsWrong) {
  EXPECT_EQ(fault_of("unit: images\n", ""), "workloads/it.yaml: 'unit' is missing");
  EXPECT_EQ(fault_of("unit:", "dropuot: 0.1\nunit:"), "workloads/it.yaml: 'dropuot' is unknown");
  EXPECT_EQ(fault_of(", momentum: 0.9", ""), "workloads/it.yaml: optimizer: 'momentum' is missing");
  EXPECT_EQ(fault_of("momentum", "beta1: 0.9, momentum"),
            "workloads/it.yaml: optimizer: 'beta1' is unknown");
  EXPECT_EQ(fault_of("kind: sgd", "kind: lion"),
            "workloads/it.yaml: optimizer: there is no 'lion'; known: sgd, adam, adamw");
  EXPECT_EQ(fault_of(", batch: 4", ""), "workloads/it.yaml: the size 'tiny' has no 'batch'");
  EXPECT_TRUE(fault_of("side: 8", "side: wide").starts_with("workloads/it.yaml: ")) << "no number";
}

TEST(Contract, NamesFileAndKeyOfWhatAModelAsksForInVain) {
  const Contract contract = parse(plain_contract);
  const auto message = [](const auto& action) -> std::string {
    try {
      action();
    } catch (const std::runtime_error& error) {
      return error.what();
    }
    return "";
  };
  EXPECT_EQ(message([&] { contract.size("tiny").at("width"); }),
            "workloads/it.yaml: the size 'tiny' has no 'width'");
  EXPECT_EQ(message([&] { contract.size("huge"); }), "workloads/it.yaml: there is no size 'huge'");
  EXPECT_EQ(message([&] { contract.dropout_rate(); }), "workloads/it.yaml: 'dropout' is missing");
  EXPECT_EQ(message([] { find_contract("nothing"); }),
            "there is no workloads/nothing.yaml; create it");
}

class EveryWorkload : public testing::TestWithParam<std::string> {};

/// The value of "3", "side", "batch / tokens" or "tokens + 1".
std::int64_t value_of(const std::string& text, const Size& size, std::int64_t batch) {
  const auto term = [&](const std::string& word) {
    if (word == "batch") return batch;
    return std::isdigit(word.front()) != 0 ? std::stol(word) : size.at(word);
  };
  std::istringstream words(text);
  std::string left;
  std::string sign;
  std::string right;
  words >> left >> sign >> right;
  if (sign.empty()) return term(left);
  return sign == "/" ? term(left) / term(right) : term(left) + term(right);
}

TEST_P(EveryWorkload, HasBatchesAsItsContractSays) {
  const std::unique_ptr<Workload> workload = make(options_for(GetParam(), "tiny"));
  const std::int64_t items = 2 * workload->smallest_batch();
  const Batch batch = workload->make_batch(0, items);
  for (const Input& input : workload->setup().contract.inputs) {
    std::vector<std::int64_t> shape;
    for (const std::string& size : input.shape) {
      shape.push_back(value_of(size, workload->setup().size(), items));
    }
    EXPECT_EQ(batch[input.name].sizes(), at::IntArrayRef(shape)) << input.name;
  }
}

TEST_P(EveryWorkload, LearnsByTheOptimizerOfItsContract) {
  const std::unique_ptr<Workload> workload = make(options_for(GetParam(), "tiny"));
  const OptimizerSettings& agreed = workload->setup().contract.optimizer;
  for (const Phase& phase : workload->phases()) {
    ASSERT_EQ(phase.optimizer.index(), agreed.index());
    const auto rate = [](const auto& optimizer) { return optimizer.learning_rate; };
    EXPECT_EQ(std::visit(rate, phase.optimizer), std::visit(rate, agreed));
  }
}

INSTANTIATE_TEST_SUITE_P(All, EveryWorkload,
                         testing::ValuesIn(Registry<RegisteredWorkload>::names()),
                         [](const auto& workload) { return workload.param; });

TEST(Batch, SaysWhichTensorItHasNot) {
  const Batch batch = {{"images", at::ones({1})}};
  EXPECT_EQ(batch["images"].size(0), 1);
  try {
    batch["labels"];
    FAIL();
  } catch (const std::out_of_range& error) {
    EXPECT_STREQ(error.what(), "the batch has no 'labels'");
  }
}

TEST(Contract, AShapeSetsANumberAndOthersFollow) {
  Contract bert = find_contract("bert");
  bert.reshape("full", {{"sequence", 512}});
  EXPECT_EQ(bert.size("full").at("tokens"), 512);
  EXPECT_EQ(bert.size("full").at("masked"), 80);
  EXPECT_EQ(bert.size("full").at("width"), 768);
  EXPECT_EQ(bert.size("tiny").at("tokens"), 16) << "other sizes stay as they are";
  Contract cyclegan = find_contract("cyclegan");
  EXPECT_THROW(cyclegan.reshape("full", {{"resolution", 30}}), Unsupported);
  EXPECT_NE(fault_of("sizes:", "shapes: {resolution: {sets: []}}\nsizes:").find("'sets' names"),
            std::string::npos);
}

}  // namespace
}  // namespace trainmark::train
