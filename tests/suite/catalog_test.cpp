#include "suite/catalog.h"

#include <gtest/gtest.h>

#include "base/error.h"

namespace trainmark {
namespace {

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
