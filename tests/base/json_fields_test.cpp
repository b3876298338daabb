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

TEST(JsonFields, WholeNumbersAreNothingElse) {
  const nlohmann::json object = {
      {"five", 5}, {"written otherwise", 5.0}, {"most", -9007199254740992}};
  EXPECT_EQ(whole_number(object, "five"), 5);
  EXPECT_EQ(whole_number(object, "written otherwise"), 5);
  EXPECT_EQ(whole_number(object, "most"), -9007199254740992);
  EXPECT_THROW(whole_number(object, "missing"), nlohmann::json::exception);
  EXPECT_THROW(whole_number({{"text", "5"}}, "text"), nlohmann::json::exception);
  for (const double value : {5.5, 1e27, -1e27})
    EXPECT_THROW(whole_number({{"it", value}}, "it"), std::invalid_argument) << value;
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
