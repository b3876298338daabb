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
}

TEST(Arguments, OfAProofNameTheFilesThatAreWanted) {
  EXPECT_EQ(to_words(ProofArguments{.save_weights = "w", .save_gradients = "g"}),
            (Words{"--dropout", "0", "--save-weights", "w", "--save-gradients", "g"}));
  EXPECT_EQ(to_words(ProofArguments{.load_weights = "w", .save_trained = "t"}),
            (Words{"--dropout", "0", "--load-weights", "w", "--save-trained", "t"}));
}

}  // namespace
}  // namespace trainmark
