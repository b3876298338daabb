#include "common/options.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "base/error.h"
#include "common/failure.h"

namespace trainmark::train {
namespace {

Description sample() {
  return {.framework = "libtorch",
          .versions = {{"libtorch", "2.11.0"}},
          .devices = {{"cpu", ""}, {"cuda", "libtorch_cuda.so was not found"}},
          .workloads = {{.name = "resnet50",
                         .title = "ResNet-50 v1.5",
                         .unit = "images",
                         .modes = {"eager", "fused"},
                         .sizes = {{"full", 128, {{"resolution", 224}}}, {"small", 8}},
                         .precisions = {{"cpu", {"fp32"}}, {"cuda", {"fp32", "tf32"}}}}}};
}

Options parsed(std::vector<const char*> arguments) {
  arguments.insert(arguments.begin(), "program");
  Options options;
  CLI::App app;
  add_options(app, options);
  EXPECT_TRUE(parse(app, static_cast<int>(arguments.size()), arguments.data()));
  return options;
}

std::string complaint(const std::vector<const char*>& arguments) {
  try {
    resolve(parsed(arguments), sample());
  } catch (const UserError& error) {
    return error.what();
  }
  return "no complaint";
}

TEST(Options, TakeEveryArgumentOfTheProtocol) {
  const Options options =
      resolve(parsed({"--workload", "resnet50", "--size", "small", "--mode", "fused", "--precision",
                      "fp32", "--batch", "16", "--accumulate", "2", "--device", "cpu", "--seed",
                      "18446744073709551615", "--steps", "10000"}),
              sample());
  EXPECT_EQ(options.mode, "fused");
  EXPECT_EQ(options.batch, 16);
  EXPECT_EQ(options.accumulate, 2);
  EXPECT_EQ(options.seed, 18446744073709551615u);
  EXPECT_EQ(options.steps, 10000);
}

TEST(Options, HaveTheDefaultsOfTheWorkload) {
  const Options options = resolve(parsed({"--workload", "resnet50"}), sample());
  EXPECT_EQ(options.size, "full");
  EXPECT_EQ(options.batch, 128);
  EXPECT_EQ(options.mode, "eager");
}

TEST(Options, SayWhatIsWrongAndWhatToWrite) {
  EXPECT_NE(complaint({}).find("resnet50"), std::string::npos);
  EXPECT_NE(complaint({"--workload", "resnet5"}).find("'resnet50'"), std::string::npos);
  EXPECT_NE(complaint({"--workload", "resnet50", "--size", "smal"}).find("'small'"),
            std::string::npos);
  EXPECT_NE(complaint({"--workload", "resnet50", "--mode", "fuse"}).find("'fused'"),
            std::string::npos);
  EXPECT_NE(complaint({"--workload", "resnet50", "--precision", "fp23"}).find("fp32"),
            std::string::npos);
  EXPECT_NE(complaint({"--wrkload", "resnet50"}).find("'--workload'"), std::string::npos);
  EXPECT_NE(complaint({"--workload", "resnet50", "--batch", "0"})
                .find("--batch: write a whole number from 1 to 1000000000000, not '0'"),
            std::string::npos);
  EXPECT_NE(complaint({"--workload", "resnet50", "--steps", "many"})
                .find("--steps: write a whole number from 1 to 1000000000000, not 'many'"),
            std::string::npos);
}

TEST(Options, TellWhatIsWrittenWellButCannotBeTrained) {
  EXPECT_THROW(resolve(parsed({"--workload", "resnet50", "--precision", "tf32"}), sample()),
               Unsupported);
  EXPECT_THROW(resolve(parsed({"--workload", "resnet50", "--device", "cuda"}), sample()),
               Unsupported);
}

TEST(Options, ShapesAreThoseOfTheSize) {
  const Options options =
      resolve(parsed({"--workload", "resnet50", "--resolution", "288"}), sample());
  EXPECT_EQ(options.shapes, (Shapes{{"resolution", 288}}));
  EXPECT_EQ(start_fields(options, sample()).at("shapes").at("resolution"), 288);
  EXPECT_FALSE(start_fields(resolve(parsed({"--workload", "resnet50"}), sample()), sample())
                   .contains("shapes"));
  EXPECT_EQ(complaint({"--workload", "resnet50", "--sequence", "512"}),
            "--sequence: resnet50 has none; it has --resolution");
}

}  // namespace
}  // namespace trainmark::train
