#include "suite/catalog.h"

#include <gtest/gtest.h>

#include <stdexcept>

#include "base/error.h"

namespace trainmark {
namespace {

const char* const description = R"({"protocol": 1, "framework": "x", "versions": {"x": "1.0"},
 "devices": [{"name": "cpu"}, {"name": "cuda", "missing": "no GPU"}],
 "workloads": [{"name": "bert", "unit": "sequences", "modes": ["eager"],
                "sizes": [{"name": "tiny", "batch": 2}], "precisions": {"cpu": ["fp32"]}}]})";

TEST(Description, IsRead) {
  FrameworkOffer offer;
  read_description(description, offer);
  EXPECT_EQ(offer.versions.at("x"), "1.0");
  ASSERT_NE(offer.find("bert"), nullptr);
  EXPECT_EQ(offer.find("bert")->sizes.front().second, 2);
  EXPECT_EQ(offer.device("cuda")->missing, "no GPU");
  EXPECT_EQ(offer.find("vgg"), nullptr);
}

TEST(Description, ThatIsNonsenseIsRefused) {
  for (const char* text : {"", "hello", "[]", "{}", R"({"protocol": 2})", R"({"protocol": "1"})",
                           R"({"protocol":1,"versions":{},"devices":[],"workloads":[{}]})",
                           R"({"protocol":1,"versions":[],"devices":{},"workloads":5})"}) {
    FrameworkOffer offer;
    EXPECT_THROW(read_description(text, offer), std::invalid_argument) << text;
  }
}

TEST(FrameworkFile, IsReadStrictly) {
  const FrameworkOffer offer = parse_framework_file(
      "title: X\nprogram: [python3, x.py]\nsetup: make x\n", "frameworks/x/framework.yaml");
  EXPECT_EQ(offer.name, "x");
  EXPECT_EQ(offer.program.size(), 2U);
  EXPECT_THROW(parse_framework_file("title: X\n", "f"), UserError);
  EXPECT_THROW(parse_framework_file("progam: [x]\n", "f"), UserError);
}

}  // namespace
}  // namespace trainmark
