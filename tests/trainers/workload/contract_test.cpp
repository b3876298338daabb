#include "workload/contract.h"

#include <gtest/gtest.h>
#include <torch/torch.h>

#include "../models/support.h"
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
