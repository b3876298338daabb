#include "base/json_fields.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

namespace trainmark {
namespace {

TEST(BytesText, Table) {
  const struct {
    double bytes;
    const char* expected;
  } cases[] = {{0, "0 bytes"},
               {1023, "1023 bytes"},
               {1024, "1 KiB"},
               {1536, "1.5 KiB"},
               {1024.0 * 1024, "1 MiB"},
               {2.5 * 1024 * 1024 * 1024, "2.5 GiB"},
               {4096.0 * 1024 * 1024 * 1024 * 1024, "4096 TiB"}};
  for (const auto& one : cases) EXPECT_EQ(bytes_text(one.bytes), one.expected);
}

TEST(JsonFields, OfAnotherKindAreMissing) {
  const nlohmann::json object = {{"text", "a\nb"}, {"number", 2.5}, {"switch", true}};
  EXPECT_EQ(json_string(object, "text"), "a?b");
  EXPECT_EQ(json_string(object, "number"), "");
  EXPECT_EQ(json_number(object, "number"), 2.5);
  EXPECT_EQ(json_number(object, "text"), std::nullopt);
  EXPECT_EQ(json_number(object, "nowhere"), std::nullopt);
  EXPECT_EQ(json_switch(object, "switch"), true);
  EXPECT_EQ(json_switch(object, "number"), std::nullopt);
  EXPECT_EQ(json_number(nlohmann::json(5), "number"), std::nullopt);
}

}  // namespace
}  // namespace trainmark
