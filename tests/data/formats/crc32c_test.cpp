#include "data/formats/crc32c.h"

#include <gtest/gtest.h>

#include <string_view>

namespace trainmark::data {
namespace {

TEST(Crc32c, IsThatOfTheStandard) {
  // RFC 3720, B.4
  EXPECT_EQ(crc32c(Bytes(32, 0)), 0x8a9136aaU);
  EXPECT_EQ(crc32c(Bytes(32, 0xff)), 0x62a8ab43U);
  constexpr std::string_view digits = "123456789";
  EXPECT_EQ(crc32c({reinterpret_cast<const std::uint8_t*>(digits.data()), digits.size()}),
            0xe3069283U);
}

TEST(Crc32c, IsTheSameFromTables) {
  Bytes bytes;
  for (int length = 0; length < 70; ++length) {
    EXPECT_EQ(crc32c(bytes), crc32c_by_tables(bytes)) << length;
    bytes.push_back(static_cast<std::uint8_t>(length * 37 + 11));
  }
}

}  // namespace
}  // namespace trainmark::data
