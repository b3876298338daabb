#include "journal/proof.h"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <nlohmann/json.hpp>

#include "journal/record.h"

namespace trainmark {
namespace {

Proof compared(const std::vector<double>& reference, const std::vector<double>& losses) {
  Proof proof;
  proof.tolerance = 1e-3;
  compare_losses(proof, reference, losses);
  return proof;
}

TEST(Proof, IsTheLargestRelativeDifference) {
  const Proof proof = compared({10, 8, 4}, {10.0001, 8, 4.002});
  EXPECT_NEAR(proof.first_difference, 1e-5, 1e-12);
  EXPECT_NEAR(proof.largest_difference, 5e-4, 1e-12);
  EXPECT_EQ(proof.steps, 3);
  EXPECT_TRUE(proof.same());
  EXPECT_FALSE(compared({10, 8, 4}, {10, 8, 4.005}).same());
}

TEST(Proof, ALossThatHasVanishedHasNoShares) {
  EXPECT_TRUE(compared({40, 1e-6, 0}, {40, 3e-6, 1e-9}).same());
  EXPECT_FALSE(compared({40, 1e-6, 0}, {40, 1e-6, 0.01}).same());
}

TEST(Proof, NeedsAllLossesOfBoth) {
  EXPECT_NE(compared({3, 2, 1}, {3, 2}).trouble, "");
  EXPECT_NE(compared({}, {}).trouble, "");
  EXPECT_NE(compared({3, NAN}, {3, NAN}).trouble, "");
  EXPECT_FALSE(compared({3, INFINITY}, {3, INFINITY}).same());
}

/// What is too far, and the part that it points to.
std::string cause(const std::function<void(Proof&)>& change) {
  Proof proof = compared({3, 2}, {3, 2});
  proof.tensors = TensorDifferences{};
  proof.tensors->gradients.where = proof.tensors->updates.where = "stem.conv.weight";
  change(proof);
  judge(proof);
  EXPECT_EQ(proof.same(), proof.differs.empty());
  return proof.differs.empty() ? "" : proof.differs.front();
}

TEST(Proof, NamesTheFirstPartThatDiffers) {
  EXPECT_EQ(cause([](Proof&) {}), "");
  EXPECT_EQ(cause([](Proof& proof) { proof.first_difference = 2e-4; }),
            "the first loss by 2.0e-04 (at most 1e-05): the forward pass");
  EXPECT_EQ(cause([](Proof& proof) {
              proof.tensors->gradients.largest = 0.5;
              proof.tensors->updates.largest = 0.5;
            }),
            "the gradient of stem.conv.weight by 5.0e-01 (at most 1e-01): the backward pass");
  EXPECT_EQ(cause([](Proof& proof) { proof.tensors->gradients.typical = 0.05; }),
            "the gradients, typically, by 5.0e-02 (at most 1e-02): the backward pass");
  EXPECT_EQ(cause([](Proof& proof) { proof.tensors->updates.largest = 0.5; }),
            "the update of stem.conv.weight by 5.0e-01 (at most 1e-01): the optimizer");
  EXPECT_EQ(cause([](Proof& proof) { proof.tensors->growth = 1; }),
            "the growth of the weights by 1.0e+00 (at most 5e-02): the weight decay");
  EXPECT_EQ(cause([](Proof& proof) { proof.largest_difference = 0.01; }),
            "a later loss by 1.0e-02 (at most 1e-03): the training");
}

TEST(Proof, AllLimitsGrowWithTheTolerance) {
  EXPECT_EQ(cause([](Proof& proof) {
              proof.tolerance = 1e-2;
              proof.first_difference = 5e-5;
              proof.tensors->growth = 0.4;
            }),
            "");
}

TEST(Proof, ATrainingThatStraysFromItselfMayStrayFromOthers) {
  const auto strayed = [](double update, double growth) {
    return cause([&](Proof& proof) {
      proof.rounding = Rounding{{0.05, 0.06, "a.weight"}, 0.04};
      proof.tensors->updates.typical = update;
      proof.tensors->growth = growth;
    });
  };
  EXPECT_EQ(strayed(0.14, 0.11), "");
  EXPECT_EQ(strayed(0.16, 0.11),
            "the updates, typically, by 1.6e-01 (at most 2e-01): the optimizer");
  EXPECT_EQ(strayed(0.14, 0.13),
            "the growth of the weights by 1.3e-01 (at most 1e-01): the weight decay");
}

TEST(Proof, LengthsTellAWrongScaleFromRounding) {
  const auto lengths = [](double gradients, double updates) {
    return cause([&](Proof& proof) { proof.tensors->lengths = Lengths{gradients, updates}; });
  };
  EXPECT_EQ(lengths(-0.04, 0.04), "");
  EXPECT_EQ(lengths(-0.5, 0.04),
            "the length of the gradients by 5.0e-01 (at most 5e-02): the backward pass, or the "
            "loss scale");
  EXPECT_EQ(lengths(0, 0.2), "the length of the updates by 2.0e-01 (at most 5e-02): the optimizer");
}

TEST(Proof, StepsThatChangeNothingWereLeftOut) {
  const std::vector<double> reference = {10, 9.5, 9.1, 8.8, 8.6};
  EXPECT_EQ(steps_left_out(reference, {10.001, 9.502, 9.1, 8.8, 8.6}), 0);
  EXPECT_EQ(steps_left_out(reference, {10.001, 10.001, 9.502, 9.1, 8.8}), 1);
  EXPECT_EQ(steps_left_out(reference, {10, 10.00001, 10, 9.5, 9.1}), 2);
  EXPECT_EQ(steps_left_out(reference, {10, 10, 10, 10, 10}), 0) << "it does not learn at all";
  EXPECT_EQ(steps_left_out({10, 9.9999, 9.9998}, {10, 10, 9.9999}), 0) << "too small to tell";
}

TEST(Proof, OfDropoutAllowsForChanceOnly) {
  const auto dropped = [](double mean, double scatter, double gradients = 1) {
    return cause([&](Proof& proof) {
      proof.tolerance = 1e-3;
      proof.dropout = DropoutDifference{0.75, 200, mean, 2e-3, scatter, 0.2, gradients};
    });
  };
  EXPECT_EQ(dropped(0.0105, 1.0), "");
  EXPECT_EQ(dropped(-0.0105, 0.4), "");
  EXPECT_EQ(dropped(-0.012, 1.0),
            "the mean loss with dropout 0.75 by 1.2e-02 (at most 1e-02): the dropout");
  EXPECT_EQ(dropped(0, 2.9),
            "the scatter of the losses with dropout 0.75 by a factor of 2.9 (at most 2.7 either "
            "way): the dropout");
  EXPECT_NE(dropped(0, 0.3), "");
  EXPECT_NE(dropped(0, 0), "") << "the same is dropped in every step";
  EXPECT_EQ(dropped(0, 1, 0.7), "");
  EXPECT_EQ(dropped(0, 1, 0.5),
            "the length of the gradients with dropout 0.75 by a factor of 0.5 (at most 1.5 either "
            "way): the dropout");
  EXPECT_NE(dropped(0, 1, 2), "");
}

/// As the reference in amp-bf16 strays from itself in fp32.
const Rounding few_bits = {.updates = {0.12, 0.29, "a.weight"},
                           .growth = 2e-3,
                           .first_loss = 1.3e-3,
                           .losses = 4.3e-3,
                           .gradients = Difference{0.25, 0.56, "a.weight"},
                           .lengths = Lengths{-0.07, -0.05}};

TEST(Proof, InFewBitsMayStrayAsTheReferenceDoes) {
  const auto strayed = [](const std::function<void(Proof&)>& change) {
    return cause([&](Proof& proof) {
      proof.rounding = few_bits;
      proof.first_difference = 1.5e-3;
      proof.largest_difference = 8e-3;
      proof.tensors->gradients = {0.3, 0.9, "b.weight"};
      proof.tensors->updates = {0.2, 0.5, "b.weight"};
      proof.tensors->lengths = Lengths{-0.08, -0.04};
      change(proof);
    });
  };
  EXPECT_EQ(strayed([](Proof&) {}), "");
  EXPECT_NE(strayed([](Proof& proof) { proof.first_difference = 5e-3; }), "");
  EXPECT_NE(strayed([](Proof& proof) { proof.largest_difference = 0.05; }), "");
  EXPECT_NE(strayed([](Proof& proof) { proof.tensors->gradients.typical = 0.8; }), "");
  EXPECT_NE(strayed([](Proof& proof) { proof.tensors->growth = 0.38; }), "");
  EXPECT_NE(strayed([](Proof& proof) { proof.tensors->lengths->updates = 0.13; }), "")
      << "a learning rate that is a fifth too high";
}

TEST(Proof, OfTheReferenceInFewBitsIsBoundByThem) {
  const auto judged = [](const std::function<void(Proof&)>& change) {
    Proof proof = compared({3, 2}, {3, 2});
    proof.first_difference = 1.3e-3;
    proof.largest_difference = 1.4e-2;
    proof.tensors = TensorDifferences{{0.5, 8, "a"}, {0.3, 1, "a"}, 0.03, Lengths{-0.07, -0.05}};
    change(proof);
    judge(proof, reference_limits(1.0 / 256));
    return proof.same();
  };
  EXPECT_TRUE(judged([](Proof&) {}));
  EXPECT_FALSE(judged([](Proof& proof) { proof.first_difference = 0.02; }));
  EXPECT_FALSE(judged([](Proof& proof) { proof.largest_difference = 0.1; }));
  EXPECT_FALSE(judged([](Proof& proof) { proof.tensors->lengths->gradients = 1; }));
  EXPECT_FALSE(judged([](Proof& proof) { proof.tensors->growth = 0.4; }));
}

TEST(Proof, OfAnOlderVersionHasLossesAlone) {
  nlohmann::json record = to_record(compared({3, 2}, {3, 2}));
  record["cell"] = Cell{"bert", "tiny", "jax:jit", "fp32", 4, 1, "cpu", {}};
  const Proof read = std::get<Proof>(read_record(record.dump()));
  EXPECT_FALSE(read.tensors.has_value());
  EXPECT_TRUE(read.same());
}

TEST(Proof, IsReadAsItWasWritten) {
  Proof proof = compared({3, 2}, {3, 2.001});
  proof.tensors = TensorDifferences{{1e-5, 0.2, "a.weight"}, {1e-3, 0.02, "b.bias"}, 0.5};
  proof.tensors->lengths = Lengths{0.01, -0.02};
  proof.rounding = Rounding{{1e-4, 0.03, "c.bias"}, 0.02, 1e-3, 2e-3, Difference{0.1, 0.2, "d"},
                            Lengths{-0.03, 0.04}};
  proof.reference_precision = "fp32";
  proof.dropout = DropoutDifference{0.75, 200, -0.01, 2e-3, 0.9, 0.2, 1.1};
  judge(proof);
  proof.cell = {"bert", "tiny", "jax:jit", "fp32", 4, 1, "cpu", {}};
  proof.reference = "libtorch:eager";
  proof.versions = {{"jax", "1"}};
  proof.reference_versions = {{"torch", "2"}};
  proof.checked = "2026-11-15T00:00:00Z";
  proof.trouble = "none";
  const Proof read = std::get<Proof>(read_record(to_record(proof).dump()));
  EXPECT_EQ(read.cell, proof.cell);
  EXPECT_EQ(read.reference, proof.reference);
  EXPECT_EQ(read.versions, proof.versions);
  EXPECT_EQ(read.reference_versions, proof.reference_versions);
  EXPECT_EQ(read.steps, 2);
  EXPECT_EQ(read.first_difference, proof.first_difference);
  EXPECT_EQ(read.largest_difference, proof.largest_difference);
  EXPECT_EQ(read.tolerance, proof.tolerance);
  EXPECT_EQ(read.trouble, proof.trouble);
  EXPECT_EQ(read.checked, proof.checked);
  ASSERT_TRUE(read.tensors.has_value());
  EXPECT_EQ(read.tensors->gradients.typical, 1e-5);
  EXPECT_EQ(read.tensors->gradients.largest, 0.2);
  EXPECT_EQ(read.tensors->gradients.where, "a.weight");
  EXPECT_EQ(read.tensors->updates.where, "b.bias");
  EXPECT_EQ(read.tensors->growth, 0.5);
  ASSERT_TRUE(read.rounding.has_value());
  EXPECT_EQ(read.rounding->updates.typical, 1e-4);
  EXPECT_EQ(read.rounding->updates.largest, 0.03);
  EXPECT_EQ(read.rounding->updates.where, "c.bias");
  EXPECT_EQ(read.rounding->growth, 0.02);
  EXPECT_EQ(read.rounding->first_loss, 1e-3);
  EXPECT_EQ(read.rounding->losses, 2e-3);
  EXPECT_EQ(read.rounding->gradients.value().where, "d");
  EXPECT_EQ(read.rounding->lengths.value().updates, 0.04);
  EXPECT_EQ(read.tensors->lengths.value().gradients, 0.01);
  EXPECT_EQ(read.reference_precision, "fp32");
  ASSERT_TRUE(read.dropout.has_value());
  EXPECT_EQ(read.dropout->rate, 0.75);
  EXPECT_EQ(read.dropout->steps, 200);
  EXPECT_EQ(read.dropout->mean, -0.01);
  EXPECT_EQ(read.dropout->mean_error, 2e-3);
  EXPECT_EQ(read.dropout->scatter, 0.9);
  EXPECT_EQ(read.dropout->scatter_error, 0.2);
  EXPECT_EQ(read.dropout->gradients, 1.1);
  EXPECT_EQ(read.differs, proof.differs);
  EXPECT_EQ(read.differs.size(), 2U);
}

TEST(Proof, TheNewestCounts) {
  Proof old = compared({1}, {2}), other = compared({1}, {1}), fresh = compared({1}, {1});
  old.cell.workload = fresh.cell.workload = "a";
  other.cell.workload = "b";
  const auto proofs = newest({old, other, fresh});
  ASSERT_EQ(proofs.size(), 2U);
  EXPECT_EQ(proofs[0].cell.workload, "b");
  EXPECT_EQ(proofs[1].cell.workload, "a");
  EXPECT_TRUE(proofs[1].same());
}

TEST(Proof, OfOtherVersionsHidesNone) {
  Proof first = compared({1}, {1}), second = compared({1}, {2}), third = first;
  first.versions = {{"torch", "2.11.0"}};
  second.versions = {{"torch", "2.12.0"}};
  third.versions = first.versions;
  third.reference_versions = {{"torch", "2.12.0"}};
  EXPECT_EQ(newest({first, second, third}).size(), 3U);
  EXPECT_EQ(newest({first, second, third, first, third}).size(), 3U);
}

}  // namespace
}  // namespace trainmark
