#include "data/formats/token_bin.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <numeric>

#include "data/formats/damaged_sets.h"
#include "data/formats/picture_sets.h"
#include "temporary_folder.h"
#include "user_error.h"

namespace trainmark::data {
namespace {

constexpr auto window = static_cast<std::size_t>(token_bin_window);

/// The numbers of a header of llm.c, and tokens of so many bytes.
std::string token_shard(std::int32_t magic, std::int32_t version, std::int32_t count,
                        const std::vector<std::uint32_t>& tokens, std::size_t token_bytes) {
  std::string bytes(1024, '\0');
  std::int32_t numbers[] = {magic, version, count};
  std::memcpy(bytes.data(), numbers, sizeof numbers);
  for (const std::uint32_t token : tokens)
    bytes.append(reinterpret_cast<const char*>(&token), token_bytes);
  return bytes;
}

std::vector<std::uint32_t> counting(std::size_t count, std::uint32_t first = 0) {
  std::vector<std::uint32_t> tokens(count);
  std::iota(tokens.begin(), tokens.end(), first);
  return tokens;
}

class TokenBins : public testing::Test {
 protected:
  TemporaryFolder folder_;
};

TEST_F(TokenBins, AreWindowsSideBySide) {
  put_file(folder_ / "fineweb_train_000001.bin", token_shard(20240520, 1, 1100, counting(1100), 2));
  put_file(folder_ / "fineweb_train_000002.bin",
           token_shard(20240520, 1, 600, counting(600, 5000), 2));
  put_file(folder_ / "fineweb_val_000000.bin", token_shard(20240520, 1, 512, counting(512), 2));
  const auto set = open_data_set(folder_.path());
  EXPECT_EQ(set->format(), "token-bin");
  EXPECT_EQ(set->kind(), kind::masked_sentences);
  ASSERT_EQ(set->size(), 3);  // without validation, and what is left behind the last window
  const Item second = item_of(*set, 1);
  EXPECT_EQ(second.name, "fineweb_train_000001.bin:512");
  ASSERT_EQ(second.tokens.size(), window);
  EXPECT_EQ(second.tokens.front(), 512);
  EXPECT_EQ(second.tokens.back(), 1023);
  EXPECT_TRUE(second.positions.empty());
  EXPECT_EQ(item_of(*set, 2).tokens.front(), 5000);
}

TEST_F(TokenBins, OfLlamaHaveTokensBeyondSixteenBits) {
  put_file(folder_ / "a.bin", token_shard(20240801, 7, 600, counting(600, 128000), 4));
  const auto set = open_data_set(folder_ / "a.bin");
  EXPECT_EQ(item_of(*set, 0).tokens.back(), 128511);
}

TEST_F(TokenBins, OfNanoGptHaveNoHeader) {
  put_file(folder_ / "train.bin", token_shard(0, 0, 0, counting(600), 2).substr(1024));
  put_file(folder_ / "val.bin", std::string(2000, '\1'));
  put_file(folder_ / "meta.pkl", "not tokens");
  put_file(folder_ / "model.bin", "not tokens");
  const auto set = open_data_set(folder_.path());
  ASSERT_EQ(set->size(), 1);
  EXPECT_EQ(item_of(*set, 0).tokens[300], 300);
  EXPECT_EQ(item_of(*open_data_set(folder_ / "val.bin"), 0).tokens[0], 257);
  std::filesystem::remove(folder_ / "train.bin");
  EXPECT_EQ(open_data_set(folder_.path())->size(), 1);  // nothing but what is for validation
  put_file(folder_ / "train.bin", "odd");
  EXPECT_TRUE(says(refusal_of(folder_.path()), "train.bin: its 3 bytes are not whole tokens"));
}

TEST_F(TokenBins, ShorterThanAWindowAreOneItem) {
  put_file(folder_ / "a.bin", token_shard(20240520, 1, 5, counting(5), 2));
  const auto set = open_data_set(folder_ / "a.bin");
  ASSERT_EQ(set->size(), 1);
  EXPECT_EQ(item_of(*set, 0).tokens, (std::vector<std::int32_t>{0, 1, 2, 3, 4}));
  put_file(folder_ / "a.bin", token_shard(20240520, 1, 0, {}, 2));
  EXPECT_TRUE(says(refusal_of(folder_ / "a.bin"), "it holds no tokens"));
}

TEST_F(TokenBins, AreRefusedWhereTheirHeadersLie) {
  put_file(folder_ / "a.bin", token_shard(20240520, 1, 600, counting(599), 2));
  EXPECT_TRUE(says(refusal_of(folder_.path()),
                   "a.bin: its header claims 600 tokens of 2 bytes, but 1198 bytes follow"))
      << refusal_of(folder_.path());
  put_file(folder_ / "a.bin", token_shard(20240520, 1, 600, counting(601), 2));
  EXPECT_TRUE(says(refusal_of(folder_.path()), "but 1202 bytes follow"));
  put_file(folder_ / "a.bin", token_shard(20240520, 2, 600, counting(600), 2));
  EXPECT_TRUE(says(refusal_of(folder_.path()), "version 2"));
  put_file(folder_ / "a.bin", token_shard(20240520, 1, -1, counting(600), 2));
  EXPECT_TRUE(says(refusal_of(folder_.path()), "-1 tokens"));
  // A shard with a damaged magic number is not left out silently.
  put_file(folder_ / "a.bin", token_shard(20240520, 1, 600, counting(600), 2));
  put_file(folder_ / "b.bin", token_shard(20240521, 1, 600, counting(600), 2));
  EXPECT_TRUE(says(refusal_of(folder_.path()), "b.bin: magic number 20240521"));
}

TEST_F(TokenBins, NumbersThatAreNoTokensAreBadItems) {
  std::vector<std::uint32_t> tokens = counting(1024);
  tokens[515] = 0x80000000U;
  put_file(folder_ / "a.bin", token_shard(20240801, 7, 1024, tokens, 4));
  const auto set = open_data_set(folder_ / "a.bin");
  EXPECT_EQ(item_of(*set, 0).tokens.size(), window);
  EXPECT_EQ(trouble_with(*set, 1), "2147483648 at place 3 is not a token id");
}

TEST_F(TokenBins, AreReadAsTheyWereWritten) {
  std::vector<Item> items(3);
  for (std::size_t i = 0; i < items.size(); ++i)
    for (const std::uint32_t token : counting(window, static_cast<std::uint32_t>(i * 65000)))
      items[i].tokens.push_back(static_cast<std::int32_t>(token));
  items[0].positions = {7};
  items[0].target = {60000};  // what the mask hides
  const auto set = round_trip("token-bin", {folder_.path(), kind::masked_sentences, 0, 2}, items);
  EXPECT_TRUE(std::filesystem::exists(folder_ / "train-00001.bin"));
  ASSERT_EQ(set->size(), 3);
  items[0].tokens[7] = 60000;
  for (std::int64_t i = 0; i < 3; ++i)
    EXPECT_EQ(item_of(*set, i).tokens, items[static_cast<std::size_t>(i)].tokens) << i;
}

TEST_F(TokenBins, MayBeMoreThanAProcessCanOpen) {
  constexpr std::int64_t shards = 600;
  for (std::int64_t i = 0; i < shards; ++i)
    put_file(folder_ / fmt::format("{:03}.bin", i),
             token_shard(20240520, 1, 1, {static_cast<std::uint32_t>(i)}, 2));
  const auto set = open_data_set(folder_.path());
  EXPECT_LT(names_in("/proc/self/fd").size(), 500U);
  ASSERT_EQ(set->size(), shards);
  for (std::int64_t i = 0; i < shards; ++i) EXPECT_EQ(item_of(*set, i).tokens.front(), i);
}

TEST_F(TokenBins, ThatAreDamagedAreRefusedOrReadInPart) {
  const auto path = folder_ / "a.bin";
  put_file(path, token_shard(20240801, 7, 1024, counting(1024), 4));
  const DamageReport report = damage_file("token-bin", path, 50, 200);
  EXPECT_GE(report.refused, 50);
  EXPECT_GT(report.bad_items, 0);
  EXPECT_GT(report.read_items, 0);
}

}  // namespace
}  // namespace trainmark::data
