// Files that h5py has written (samples/make_hdf5.py).
#include <gtest/gtest.h>

#include "data/formats/damaged_sets.h"
#include "data/formats/picture_sets.h"
#include "temporary_folder.h"
#include "user_error.h"

namespace trainmark::data {
namespace {

std::filesystem::path hdf5_sample(const std::string& name) {
  return std::filesystem::path(TRAINMARK_SOURCE) / "tests/data/formats/samples" / name;
}

void expect_rows_of_samples(const std::filesystem::path& path) {
  const auto set = open_data_set(path);
  ASSERT_EQ(set->size(), 150);
  for (std::int32_t row = 0; row < 150; ++row) {
    const Item item = item_of(*set, row);
    const std::int32_t length = 3 + row % 6;
    ASSERT_EQ(std::ssize(item.tokens), length) << row;
    for (std::int32_t i = 0; i < length; ++i)
      EXPECT_EQ(item.tokens[static_cast<std::size_t>(i)], 1000 + row * 8 + i) << row;
    EXPECT_EQ(item.positions, (std::vector<std::int32_t>{1, length - 1}));
    EXPECT_EQ(item.target, (std::vector<std::int32_t>{5 + row, 6 + row}));
    EXPECT_EQ(item.split, 2);
    EXPECT_EQ(item.follows, row % 2);
  }
}

TEST(Hdf5Samples, WithAllFiltersAndManyChunksAreRead) {
  expect_rows_of_samples(hdf5_sample("bert_old.hdf5"));
}

TEST(Hdf5Samples, InOnePieceAreRead) {
  expect_rows_of_samples(hdf5_sample("bert_plain.hdf5"));
}

TEST(Hdf5Samples, OfTheSecondVersionAreRead) {
  expect_rows_of_samples(hdf5_sample("bert_v108.hdf5"));
}

TEST(Hdf5Samples, OfTheNewestKindAreRefusedWithAWayOut) {
  const std::string refusal = refusal_of(hdf5_sample("bert_latest.hdf5"));
  EXPECT_TRUE(says(refusal, "bert_latest.hdf5"));
  EXPECT_TRUE(says(refusal, "write it without libver='latest'")) << refusal;
}

TEST(Hdf5Samples, ThatAreDamagedAreRefusedOrHaveBadItems) {
  const TemporaryFolder folder;
  for (const std::string name :
       {"bert_old.hdf5", "bert_plain.hdf5", "bert_v108.hdf5", "bert_latest.hdf5"}) {
    std::filesystem::copy_file(hdf5_sample(name), folder / name);
    const DamageReport report = damage_file("bert-hdf5", folder / name, 40, 120);
    EXPECT_GE(report.refused, 40) << name;
    if (name == "bert_latest.hdf5") continue;
    EXPECT_GT(report.bad_items, 0) << name;
    EXPECT_GT(report.read_items, 4000) << name;
  }
}

// A byte of a packed number may not change silently where there is a checksum.
TEST(Hdf5Samples, WithChecksumsNeverGiveWrongNumbers) {
  const TemporaryFolder folder;
  const std::filesystem::path path = folder / "bert_old.hdf5";
  const std::string whole = content_of(hdf5_sample("bert_old.hdf5"));
  std::vector<Item> rows;
  const auto sample = open_data_set(hdf5_sample("bert_old.hdf5"));
  for (std::int64_t row = 0; row < sample->size(); ++row) rows.push_back(item_of(*sample, row));
  int bad = 0;
  std::mt19937 chance(2);
  for (int change = 0; change < 100; ++change) {
    std::string changed = whole;
    // Chunks of packed numbers lie between the trees; zlib begins them with 0x78.
    const std::size_t chunk = changed.find("\x78\x5e", chance() % changed.size());
    if (chunk == std::string::npos) continue;
    changed[chunk + 3] = static_cast<char>(changed[chunk + 3] ^ (1 << chance() % 8));
    put_file(path, changed);
    const auto set = open_data_set(path);
    for (std::int64_t row = 0; row < set->size(); ++row) {
      try {
        const Item item = item_of(*set, row);
        EXPECT_EQ(item.tokens, rows[static_cast<std::size_t>(row)].tokens);
        EXPECT_EQ(item.target, rows[static_cast<std::size_t>(row)].target);
      } catch (const BadItem&) {
        ++bad;
      }
    }
  }
  EXPECT_GT(bad, 100);
}

}  // namespace
}  // namespace trainmark::data
