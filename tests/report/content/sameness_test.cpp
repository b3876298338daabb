#include "report/content/sameness.h"

#include <gtest/gtest.h>

#include "report/sample_journal.h"

namespace trainmark {
namespace {

using State = Sameness::State;

/// A figure of `pytorch:graph` in amp-fp16 on a GPU, by torch 2.11.
class SamenessOfAFigure : public testing::Test {
 protected:
  SamenessOfAFigure() {
    run_.trainer = {{"versions", {{"torch", "2.11.0"}}}};
    result_.cell = {"resnet50", "full", "pytorch:graph", "amp-fp16", 256, 1, "cuda", {}};
    result_.runs = {&run_};
    proof_.cell = result_.cell;
    proof_.cell.batch = 128;  // the number of samples changes no mathematics
    proof_.reference = "libtorch:eager";
    proof_.reference_precision = "fp32";
    proof_.versions = {{"torch", "2.11.0"}};
    proof_.tensors = TensorDifferences{};
    proof_.checked = "2026-11-16T00:00:00Z";
  }

  Sameness sameness() const { return sameness_of(proofs(), result_); }
  const std::vector<Proof>& proofs() const {
    proofs_ = {proof_};
    return proofs_;
  }

  RunRecord run_;
  Result result_;
  Proof proof_;
  mutable std::vector<Proof> proofs_;
};

TEST_F(SamenessOfAFigure, IsThatOfItsOwnProof) {
  EXPECT_EQ(sameness().state, State::same);
  proof_.differs = {"the gradients"};
  EXPECT_EQ(sameness().state, State::differs);
  proof_.trouble = "it broke";
  EXPECT_EQ(sameness().state, State::failed);
}

TEST_F(SamenessOfAFigure, IsNotThatOfAnythingElse) {
  const Proof own = proof_;
  const auto changed = [&](auto change) {
    proof_ = own;
    change(proof_);
    return sameness().state;
  };
  EXPECT_EQ(changed([](Proof& proof) { proof.cell.size = "tiny"; }), State::elsewhere);
  EXPECT_EQ(changed([](Proof& proof) { proof.cell.shapes["resolution"] = 160; }), State::elsewhere);
  EXPECT_EQ(changed([](Proof& proof) { proof.cell.precision = "fp32"; }), State::elsewhere);
  EXPECT_EQ(changed([](Proof& proof) { proof.cell.device = "cpu"; }), State::elsewhere);
  EXPECT_EQ(changed([](Proof& proof) { proof.versions["torch"] = "2.12.0"; }), State::elsewhere);
  EXPECT_EQ(changed([](Proof& proof) { proof.cell.framework = "pytorch:eager"; }), State::unproven);
  EXPECT_EQ(changed([](Proof& proof) { proof.cell.workload = "bert"; }), State::unproven);
}

TEST_F(SamenessOfAFigure, SaysWhatWasProvenInstead) {
  proof_.cell.size = "tiny";
  proof_.cell.precision = "fp32";
  proof_.cell.device = "cpu";
  EXPECT_EQ(sameness_text(sameness(), Language::en),
            "not verified here; verified for tiny, fp32, cpu, torch 2.11.0 (2026-11-16)");
  proof_.differs = {"the gradients"};
  EXPECT_EQ(sameness_text(sameness(), Language::en),
            "not verified here; NOT the same for tiny, fp32, cpu, torch 2.11.0 (2026-11-16)");
}

TEST_F(SamenessOfAFigure, PrefersTheProofThatHasMostInCommon) {
  Proof far = proof_, near = proof_;
  far.cell.precision = "fp32";
  near.cell.size = "tiny";
  for (const auto& order : {std::vector{far, near}, std::vector{near, far}})
    EXPECT_EQ(sameness_of(order, result_).proof->cell.size, "tiny");
}

TEST_F(SamenessOfAFigure, OfTheReferenceNeedsTheSamePlace) {
  result_.cell.framework = "libtorch:eager";
  EXPECT_EQ(sameness().state, State::unproven) << "in amp-fp16; fp32 was the reference";
  result_.cell.precision = "fp32";
  EXPECT_EQ(sameness().state, State::reference);
  result_.cell.shapes["resolution"] = 160;
  EXPECT_EQ(sameness().state, State::unproven);
  result_.cell.shapes.clear();
  result_.cell.device = "cpu";
  EXPECT_EQ(sameness().state, State::unproven);
}

TEST_F(SamenessOfAFigure, OfTheReferenceNeedsTheSameVersions) {
  result_.cell.framework = "libtorch:eager";
  result_.cell.precision = "fp32";
  proof_.reference_versions = {{"torch", "2.11.0"}};
  proof_.versions = {{"torch", "2.12.0"}};  // PyTorch's
  EXPECT_EQ(sameness().state, State::reference);
  proof_.reference_versions = {{"torch", "2.10.0"}};
  EXPECT_EQ(sameness().state, State::unproven);
  // Proofs of older versions do not say which reference it was.
  proof_.reference_versions.clear();
  EXPECT_EQ(sameness().state, State::unproven);
  proof_.versions = {{"torch", "2.11.0"}};
  EXPECT_EQ(sameness().state, State::reference);
  proof_.versions = {{"jax", "0.7"}};
  EXPECT_EQ(sameness().state, State::reference);
}

TEST_F(SamenessOfAFigure, IsNotHiddenByANewerProofOfOtherVersions) {
  Proof newer = proof_;
  newer.versions["torch"] = "2.12.0";
  newer.differs = {"the gradients"};
  EXPECT_EQ(sameness_of(newest({proof_, newer}), result_).state, State::same);
  Proof again = newer;
  again.versions = proof_.versions;
  EXPECT_EQ(sameness_of(newest({proof_, again, newer}), result_).state, State::differs);
}

}  // namespace
}  // namespace trainmark
