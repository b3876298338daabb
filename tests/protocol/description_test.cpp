#include "protocol/description.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <stdexcept>

namespace trainmark {
namespace {

Description sample() {
  return {.framework = "libtorch",
          .versions = {{"libtorch", "2.11.0"}},
          .devices = {{"cpu", ""}, {"cuda", "libtorch_cuda.so was not found"}},
          .workloads = {{.name = "resnet50",
                         .title = "ResNet-50 v1.5",
                         .unit = "images",
                         .modes = {"eager", "graph"},
                         .sizes = {{"full", 128, {{"resolution", 224}}}, {"small", 8}},
                         .precisions = {{"cpu", {"fp32"}}, {"cuda", {"fp32", "tf32"}}},
                         .mode_devices = {{"graph", {"cuda"}}},
                         .several_ranks = true,
                         .data = {"imagefolder"},
                         .quality = QualityDescription{"top-1 accuracy", true, 0.9, 6}},
                        {.name = "bert",
                         .title = "bert",
                         .unit = "sequences",
                         .modes = {"eager"},
                         .sizes = {{"tiny", 2}},
                         .precisions = {{"cpu", {"fp32"}}},
                         .dropout = 0.1}}};
}

const char* const document = R"({
    "protocol": 1,
    "framework": "libtorch",
    "versions": {"libtorch": "2.11.0"},
    "devices": [{"name": "cpu"},
                {"name": "cuda", "missing": "libtorch_cuda.so was not found"}],
    "workloads": [
      {"name": "resnet50", "unit": "images", "title": "ResNet-50 v1.5",
       "modes": ["eager", "graph"],
       "sizes": [{"name": "full", "batch": 128, "shapes": {"resolution": 224.0}},
                 {"name": "small", "batch": 8}],
       "precisions": {"cpu": ["fp32"], "cuda": ["fp32", "tf32"]},
       "mode_devices": {"graph": ["cuda"]}, "several_ranks": true,
       "data": ["imagefolder"],
       "quality": {"metric": "top-1 accuracy", "better": "higher", "target": 0.9, "epochs": 6.0}},
      {"name": "bert", "unit": "sequences", "title": "bert", "modes": ["eager"],
       "sizes": [{"name": "tiny", "batch": 2}], "precisions": {"cpu": ["fp32"]}, "dropout": 0.1}]})";

TEST(Description, IsTheObjectOfTheProtocol) {
  EXPECT_EQ(to_json(sample()), nlohmann::json::parse(document));
}

TEST(Description, IsReadAsItWasWritten) {
  const Description read = read_description(document);
  EXPECT_EQ(to_json(read), nlohmann::json::parse(document));
  EXPECT_EQ(read.workloads.at(0).sizes.at(1).batch, 8);
  EXPECT_EQ(read.devices.at(1).missing, "libtorch_cuda.so was not found");
}

TEST(Description, NeedsNoTitleAndNoFramework) {
  const Description read = read_description(
      R"({"protocol": 1, "versions": {}, "devices": [{"name": "cpu"}],
          "workloads": [{"name": "bert", "unit": "sequences", "modes": ["eager"],
                         "sizes": [{"name": "tiny", "batch": 2}],
                         "precisions": {"cpu": ["fp32"]}}]})");
  EXPECT_EQ(read.workloads.at(0).title, "bert");
  EXPECT_FALSE(read.workloads.at(0).several_ranks);
}

TEST(Description, OfAQualitySaysWhichWayIsBetter) {
  nlohmann::json json = nlohmann::json::parse(document);
  nlohmann::json& quality = json["workloads"][0]["quality"];
  quality["better"] = "lower";
  const Description read = read_description(json.dump());
  EXPECT_FALSE(read.workloads.at(0).quality.value().higher_is_better);
  EXPECT_FALSE(read.workloads.at(1).quality);
  quality["better"] = "up";
  EXPECT_THROW(read_description(json.dump()), std::invalid_argument);
  quality.erase("better");
  EXPECT_THROW(read_description(json.dump()), std::invalid_argument);
}

TEST(Description, ThatIsNonsenseIsRefused) {
  for (const char* text : {"", "hello", "[]", "{}", R"({"protocol": 2})", R"({"protocol": "1"})",
                           R"({"protocol":1,"versions":{},"devices":[],"workloads":[{}]})",
                           R"({"protocol":1,"versions":[],"devices":{},"workloads":5})"}) {
    EXPECT_THROW(read_description(text), std::invalid_argument) << text;
  }
}

TEST(Description, OfAnotherProtocolSaysSo) {
  try {
    read_description(R"({"protocol": 2})");
    FAIL();
  } catch (const std::invalid_argument& error) {
    EXPECT_STREQ(error.what(), "it speaks protocol 2, this is 1");
  }
}

}  // namespace
}  // namespace trainmark
