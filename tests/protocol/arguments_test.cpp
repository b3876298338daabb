#include "protocol/arguments.h"

#include <gtest/gtest.h>

#include "base/cell.h"

namespace trainmark {
namespace {

using Words = std::vector<std::string>;

TEST(Arguments, AreThoseOfTheProtocol) {
  TrainerArguments arguments{.workload = "resnet50",
                             .size = "small",
                             .mode = "eager",
                             .precision = "fp32",
                             .batch = 8,
                             .accumulate = 2,
                             .device = "cpu",
                             .seed = 18446744073709551615u,
                             .steps = 10000};
  EXPECT_EQ(to_words(arguments),
            (Words{"--workload", "resnet50", "--size", "small", "--mode", "eager", "--precision",
                   "fp32", "--batch", "8", "--accumulate", "2", "--device", "cpu", "--seed",
                   "18446744073709551615", "--steps", "10000"}));
  arguments.batch = largest_batch;
  EXPECT_EQ(to_words(arguments).at(9), "max");
  arguments.shapes = {{"sample_rate", 0.1}, {"classes", 1000000}};
  const Words words = to_words(arguments);
  EXPECT_EQ(Words(words.end() - 4, words.end()),
            (Words{"--classes", "1000000", "--sample-rate", "0.1"}));
}

TEST(Arguments, OfATrainingToQualityNameWhatDiffersFromTheRecipe) {
  EXPECT_EQ(to_words(QualityArguments{}), (Words{"--quality"}));
  EXPECT_EQ(to_words(QualityArguments{
                .epochs = 2.5, .evaluate_every = 0.125, .checkpoint = "c", .checkpoint_every = 1}),
            (Words{"--quality", "--epochs", "2.5", "--evaluate-every", "0.125", "--checkpoint", "c",
                   "--checkpoint-every", "1"}));
  TrainerArguments arguments;
  arguments.data = "d";
  EXPECT_EQ(to_words(arguments).back(), "d");
  arguments.quality = QualityArguments{};
  EXPECT_EQ(to_words(arguments).back(), "--quality");
}

TEST(Arguments, OfAProofNameTheFilesThatAreWanted) {
  EXPECT_EQ(to_words(ProofArguments{.save_weights = "w", .save_gradients = "g"}),
            (Words{"--dropout", "0", "--save-weights", "w", "--save-gradients", "g"}));
  EXPECT_EQ(to_words(ProofArguments{.load_weights = "w", .save_trained = "t"}),
            (Words{"--dropout", "0", "--load-weights", "w", "--save-trained", "t"}));
}

}  // namespace
}  // namespace trainmark
