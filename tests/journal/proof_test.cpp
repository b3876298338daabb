#include "journal/proof.h"

#include <gtest/gtest.h>

#include <cmath>
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

TEST(Proof, IsReadAsItWasWritten) {
  Proof proof = compared({3, 2}, {3, 2.001});
  proof.cell = {"bert", "tiny", "jax:jit", "fp32", 4, 1, "cpu", {}};
  proof.reference = "libtorch:eager";
  proof.versions = {{"jax", "1"}};
  proof.checked = "2026-11-15T00:00:00Z";
  proof.trouble = "none";
  const Proof read = std::get<Proof>(read_record(to_record(proof).dump()));
  EXPECT_EQ(read.cell, proof.cell);
  EXPECT_EQ(read.reference, proof.reference);
  EXPECT_EQ(read.versions, proof.versions);
  EXPECT_EQ(read.steps, 2);
  EXPECT_EQ(read.first_difference, proof.first_difference);
  EXPECT_EQ(read.largest_difference, proof.largest_difference);
  EXPECT_EQ(read.tolerance, proof.tolerance);
  EXPECT_EQ(read.trouble, proof.trouble);
  EXPECT_EQ(read.checked, proof.checked);
}

TEST(Proof, TheNewestCounts) {
  Proof old = compared({1}, {2}), other = compared({1}, {1}), fresh = compared({1}, {1});
  old.cell.workload = fresh.cell.workload = "a";
  other.cell.workload = "b";
  const auto proofs = newest({old, other, fresh});
  ASSERT_EQ(proofs.size(), 2U);
  EXPECT_EQ(proofs[0].cell.workload, "a");
  EXPECT_TRUE(proofs[0].same());
}

}  // namespace
}  // namespace trainmark
