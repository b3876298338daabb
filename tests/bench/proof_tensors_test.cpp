#include "bench/proof_tensors.h"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <limits>
#include <nlohmann/json.hpp>

#include "base/error.h"
#include "base/files.h"
#include "temporary_folder.h"

namespace trainmark {
namespace {

using Tensors = std::map<std::string, std::vector<float>>;

void save(const std::filesystem::path& path, const Tensors& tensors) {
  nlohmann::json header = nlohmann::json::object();
  std::string bytes;
  for (const auto& [name, numbers] : tensors) {
    const std::size_t begin = bytes.size();
    bytes.append(reinterpret_cast<const char*>(numbers.data()), numbers.size() * sizeof(float));
    header[name] = {
        {"dtype", "F32"}, {"shape", {numbers.size()}}, {"data_offsets", {begin, bytes.size()}}};
  }
  const std::string text = header.dump();
  const std::uint64_t length = text.size();
  write_file_atomically(
      path, std::string(reinterpret_cast<const char*>(&length), sizeof length) + text + bytes);
}

constexpr double rate = 0.01;
constexpr double decay = 1e-3;

/// A training of two tensors for one step, which tests make wrong in some way.
struct Training {
  Tensors weights = {{"long", std::vector<float>(1000)}, {"short", std::vector<float>(10)}};
  Tensors gradients = weights;
  Tensors trained = weights;

  explicit Training(double own_decay = decay) {
    for (auto& [name, numbers] : weights) {
      auto& gradient = gradients[name];
      for (std::size_t i = 0; i < numbers.size(); ++i) {
        const double sign = i % 2 == 0 ? 1 : -1;
        numbers[i] = static_cast<float>(sign);
        gradient[i] = static_cast<float>(i % 4 < 2 ? 0.5 : -0.5);  // across the weights
        trained[name][i] =
            static_cast<float>(numbers[i] - rate * (gradient[i] + own_decay * numbers[i]));
      }
    }
  }
};

class ProofTensors : public ::testing::Test {
 protected:
  TensorDifferences compare(const Training& reference, const Training& other,
                            double rounding = 1e-5) const {
    save(folder_.path() / "weights", reference.weights);
    return compare_tensors((folder_.path() / "weights").string(), files("reference", reference),
                           files("other", other), rounding);
  }

 private:
  ProofFiles files(const std::string& name, const Training& training) const {
    const ProofFiles files = {(folder_.path() / (name + "-gradients")).string(),
                              (folder_.path() / (name + "-trained")).string()};
    save(files.gradients, training.gradients);
    save(files.trained, training.trained);
    return files;
  }

  TemporaryFolder folder_;
};

TEST_F(ProofTensors, OfTheSameDoNotDiffer) {
  const TensorDifferences same = compare(Training(), Training());
  EXPECT_EQ(same.gradients.largest, 0);
  EXPECT_EQ(same.updates.largest, 0);
  EXPECT_EQ(same.growth, 0);
}

TEST_F(ProofTensors, NameTheOneThatDiffersMost) {
  Training other;
  for (float& number : other.gradients["short"]) number *= 1.1F;
  const TensorDifferences differences = compare(Training(), other);
  EXPECT_NEAR(differences.gradients.largest, 0.1, 1e-5);
  EXPECT_EQ(differences.gradients.where, "short");
  EXPECT_EQ(differences.updates.largest, 0);
}

TEST_F(ProofTensors, KnowALengthFromADirection) {
  Training longer, turned;
  for (auto& [name, numbers] : longer.gradients) {
    for (std::size_t i = 0; i < numbers.size(); ++i) {
      const float across = i % 2 == 0 ? 0.4F : -0.4F;  // at right angles to the gradient
      turned.gradients[name][i] += across;
      turned.trained[name][i] += across;
      numbers[i] *= 2;
    }
  }
  const TensorDifferences twice = compare(Training(), longer);
  EXPECT_NEAR(twice.lengths->gradients, 1, 1e-5);
  EXPECT_NEAR(twice.lengths->updates, 0, 1e-5);
  const TensorDifferences rounded = compare(Training(), turned);
  EXPECT_NEAR(rounded.gradients.largest, 0.8, 1e-5);
  EXPECT_NEAR(rounded.lengths->gradients, 0, 2e-2);
}

TEST_F(ProofTensors, AMissingDecayIsHiddenInTheUpdatesAndSeenInTheGrowth) {
  const TensorDifferences differences = compare(Training(), Training(/*own_decay=*/0));
  EXPECT_EQ(differences.gradients.largest, 0);
  EXPECT_LT(differences.updates.largest, 5e-3);
  EXPECT_NEAR(differences.growth, 1, 0.05);
}

TEST_F(ProofTensors, WhatIsOnlyRoundingIsNotCompared) {
  Training reference, other;
  for (float& number : reference.gradients["short"]) number = 1e-8F;
  for (float& number : other.gradients["short"]) number = -1e-8F;
  for (float& number : other.trained["short"]) number += 0.1F;
  const TensorDifferences differences = compare(reference, other);
  EXPECT_LT(differences.gradients.largest, 0.01);
  EXPECT_EQ(differences.updates.largest, 0);
}

TEST_F(ProofTensors, InFewBitsMoreIsOnlyRounding) {
  Training reference, other;
  for (float& number : reference.gradients["short"]) number = 1e-3F;
  for (float& number : other.gradients["short"]) number = -1e-3F;
  const double short_of_long = std::sqrt(10.0) * 1e-3 / (std::sqrt(1000.0) * 0.5);
  EXPECT_NEAR(compare(reference, other).gradients.largest, 2, 1e-3);
  const double rounding = 10 * short_of_long;
  EXPECT_NEAR(compare(reference, other, rounding).gradients.largest, 0.2, 1e-3);
}

TEST_F(ProofTensors, AnElementWithoutAGradientMustStayTheSameInBoth) {
  Training reference, other;
  reference.gradients["long"][0] = other.gradients["long"][0] = 0;
  other.trained["long"][0] += 1;
  EXPECT_GT(compare(reference, other).updates.largest, 1);
  other.gradients["long"][0] = 1e-9F;  // rounding may now decide where it moves
  EXPECT_EQ(compare(reference, other).updates.largest, 0);
}

TEST_F(ProofTensors, MustBeThoseOfTheReference) {
  const auto refused = [&](const std::function<void(Training&)>& spoil, const char* what) {
    Training other;
    spoil(other);
    try {
      compare(Training(), other);
      ADD_FAILURE() << what;
    } catch (const UserError& error) {
      EXPECT_NE(std::string(error.what()).find(what), std::string::npos) << error.what();
    }
  };
  refused([](Training& t) { t.gradients.erase("short"); }, "no gradient 'short'");
  refused([](Training& t) { t.trained.erase("short"); }, "no trained weight 'short'");
  refused([](Training& t) { t.gradients["more"] = {1}; }, "a gradient 'more'");
  refused([](Training& t) { t.trained["long"].push_back(1); }, "differs in shape");
  refused([](Training& t) { t.trained["long"][3] = std::numeric_limits<float>::quiet_NaN(); },
          "NaN or infinity");
}

}  // namespace
}  // namespace trainmark
