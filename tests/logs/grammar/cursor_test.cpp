#include "logs/grammar/cursor.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdio>
#include <random>

#include "logs/text/find_text.h"

namespace trainmark {
namespace {

double number_in(const char* text) {
  double value = -1;
  return Cursor(text).number(value) ? value : std::nan("");
}

TEST(Cursor, ReadsNumbersAsTheLibraryDoes) {
  std::mt19937 random(1);
  std::uniform_real_distribution<double> digits(-1e6, 1e6);
  for (int i = 0; i < 2000; ++i) {
    char text[64];
    std::snprintf(text, sizeof text, i % 2 == 0 ? "%.7f" : "%.17g", digits(random));
    EXPECT_EQ(number_in(text), std::strtod(text, nullptr)) << text;
  }
  EXPECT_EQ(number_in(": 3e-06,"), 3e-06);
  EXPECT_EQ(number_in(" = .5"), 0.5);
  EXPECT_EQ(number_in("123456789012345678901234567890"), 123456789012345678901234567890.0);
}

TEST(Cursor, RefusesWhatOnlyBeginsLikeANumber) {
  for (const char* text : {"127.0.0.1", "None", "", "-", ".", "e5", ": nan", "1e999"})
    EXPECT_TRUE(std::isnan(number_in(text))) << text;
}

TEST(Cursor, ReadsThousandsOrRefusesThem) {
  EXPECT_EQ(number_in("1,512.00 images/s"), 1512);
  EXPECT_EQ(number_in(": 1,234,567 "), 1234567);
  EXPECT_EQ(number_in("12,345.675, lr"), 12345.675);
  EXPECT_EQ(number_in("-1,512.5"), -1512.5);
  EXPECT_EQ(number_in("512.0, 3"), 512);
  EXPECT_EQ(number_in("512,"), 512);
  // Decimal commas and lists: nobody can tell what was meant.
  for (const char* text : {"1,512", "0,512", "1.512,00", "12.5000000,25", "1,51", "1234,567.5",
                           "1,512.5,3", "1,5120.5", "1,512.3.4"})
    EXPECT_TRUE(std::isnan(number_in(text))) << text;
  const auto whole_in = [](const char* text) {
    std::int64_t value = -1;
    return Cursor(text).whole(value) ? value : -1;
  };
  EXPECT_EQ(whole_in("1,512/9,999"), 1512);
  EXPECT_EQ(whole_in("1,512"), 1512);
  EXPECT_EQ(whole_in("12, 3 and more"), 12);
  EXPECT_EQ(whole_in("12,3 and more"), -1);
}

TEST(Cursor, ALossMayBeNoNumber) {
  double value = 0;
  EXPECT_TRUE(Cursor("nan |").loss(value));
  EXPECT_TRUE(std::isnan(value));
  EXPECT_TRUE(Cursor("-inf").loss(value));
  EXPECT_EQ(value, -INFINITY);
  EXPECT_FALSE(Cursor("None").loss(value));
}

TEST(Cursor, FieldsAreFoundByTheirWholeName) {
  const std::string_view line = "time: 0.895, data_time: 0.019, train.ips : 7 ips: 127.0.0.1 ips 5";
  EXPECT_EQ(field_value(line, "time"), 0.895);
  EXPECT_EQ(field_value(line, "data_time"), 0.019);
  EXPECT_EQ(field_value(line, "train.ips"), 7);
  EXPECT_EQ(field_value(line, "ips"), 5);
  EXPECT_TRUE(std::isnan(field_value(line, "me")));
}

TEST(Cursor, TimeStampsOfAllLoggersAreRead) {
  const double base = 1704164645;  // 2024-01-02 03:04:05
  EXPECT_EQ(find_stamp("[2024/01/02 03:04:05] x"), base);
  EXPECT_DOUBLE_EQ(find_stamp("ab 2024-01-02 03:04:05,500 - x"), base + 0.5);
  EXPECT_DOUBLE_EQ(find_stamp("DLL 2024-01-02 03:04:05.250000 -"), base + 0.25);
  EXPECT_EQ(find_stamp("2024-01-02T03:04:05"), base);
  for (const char* text : {"", "2024-13-02 03:04:05", "2024-01-02", "20240102 030405"})
    EXPECT_TRUE(std::isnan(find_stamp(text))) << text;
}

TEST(Cursor, MpirunsRankIsTheLastOneNamed) {
  EXPECT_EQ(find_rank("[1,0]<stdout>:abc[1,12]<stderr>:"), 12);
  EXPECT_EQ(find_rank("[1,x]<stdout>:"), -1);
  EXPECT_EQ(find_rank("stdout"), -1);
}

TEST(FindText, FindsWhatThePlainSearchFinds) {
  std::mt19937 random(2);
  for (int round = 0; round < 5000; ++round) {
    std::string text;
    for (std::size_t i = random() % 80; i > 0; --i) text += static_cast<char>('a' + random() % 3);
    std::string key;
    for (std::size_t i = 1 + random() % 5; i > 0; --i) key += static_cast<char>('a' + random() % 3);
    const std::size_t from = random() % 10;
    EXPECT_EQ(find_text(text, key, from), std::string_view(text).find(key, from))
        << text << " " << key << " " << from;
  }
}

}  // namespace
}  // namespace trainmark
