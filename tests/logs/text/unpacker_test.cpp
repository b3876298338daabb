#include "logs/text/unpacker.h"

#include <gtest/gtest.h>

#include <fstream>

#include "base/error.h"
#include "logs/made_up_logs.h"
#include "logs/packed_bytes.h"
#include "temporary_folder.h"

namespace trainmark {
namespace {

struct Unpacked {
  std::string text;
  std::string damage;
};

Unpacked unpack(const std::string& bytes, std::size_t piece = 65536,
                const UnpackLimits& limits = {}) {
  const std::string front = bytes.substr(0, std::min<std::size_t>(bytes.size(), 16));
  auto unpacker = unpacker_for(front);
  if (!unpacker) return {"", "not packed"};
  const auto source =
      unpacked_source(std::make_unique<PiecewiseSource>(bytes.substr(front.size()), piece), front,
                      std::move(unpacker), limits);
  Unpacked result;
  std::vector<char> buffer(1000);
  while (const std::size_t count = source->read(buffer.data(), buffer.size()))
    result.text.append(buffer.data(), count);
  result.damage = source->damage();
  return result;
}

std::string numbers(int count) {
  std::string text;
  for (int i = 0; i < count; ++i) text += std::to_string(i * 7919LL % 104729) + "\n";
  return text;
}

class PackedBy : public testing::TestWithParam<std::string (*)(const std::string&)> {};

TEST_P(PackedBy, GivesBackWhatWasPackedInPiecesOfAnySize) {
  const std::string text = numbers(3000);
  const std::string bytes = GetParam()(text) + GetParam()("last\n");
  for (const std::size_t piece : {1U, 7U, 4096U}) {
    const Unpacked result = unpack(bytes, piece);
    EXPECT_EQ(result.text, text + "last\n") << piece;
    EXPECT_EQ(result.damage, "") << piece;
  }
}

TEST_P(PackedBy, KeepsWhatADamagedFileStillHolds) {
  const std::string text = numbers(60'000);
  const std::string bytes = GetParam()(text);
  const Unpacked torn = unpack(bytes.substr(0, bytes.size() / 2));
  EXPECT_GT(torn.text.size(), 1000U);
  EXPECT_TRUE(text.starts_with(torn.text));
  EXPECT_NE(torn.damage.find("ends in the middle"), std::string::npos) << torn.damage;
  std::string wrong = bytes;
  for (std::size_t i = bytes.size() / 2; i < bytes.size() / 2 + 40; ++i) wrong[i] ^= 0x55;
  EXPECT_NE(unpack(wrong).damage.find("damaged"), std::string::npos) << unpack(wrong).damage;
}

TEST_P(PackedBy, ABombIsCutWithAMessage) {
  UnpackLimits limits;
  limits.free_bytes = 1 << 20;
  const std::string bytes = GetParam()(std::string(16 << 20, 'x'));
  const Unpacked result = unpack(bytes, 65536, limits);
  EXPECT_GT(result.text.size(), std::size_t{1} << 20);
  EXPECT_LT(result.text.size(), std::size_t{8} << 20);
  EXPECT_NE(result.damage.find("200 times its size"), std::string::npos) << result.damage;
  EXPECT_EQ(unpack(GetParam()(numbers(300'000)), 65536, limits).damage, "") << "a log is no bomb";
}

INSTANTIATE_TEST_SUITE_P(Formats, PackedBy,
                         testing::Values(packed_by_gzip, packed_by_zstd, packed_by_xz));

TEST(UnpackerMemory, FilesThatAskForGigabytesAreRefused) {
  for (const std::string& bytes : {zstd_with_window(31), xz_with_dictionary(1U << 30)}) {
    const Unpacked result = unpack(bytes);
    EXPECT_EQ(result.text, "");
    EXPECT_NE(result.damage.find("more than 128 MiB"), std::string::npos) << result.damage;
  }
}

TEST(OpenLog, ReadsWhateverItIsPackedWith) {
  const TemporaryFolder folder;
  for (const auto pack : {packed_by_gzip, packed_by_zstd, packed_by_xz}) {
    // The content tells, and not the name.
    std::ofstream(folder / "a.log", std::ios::binary) << pack("one\ntwo\n");
    LineReader reader(open_log(folder / "a.log"));
    std::vector<std::string> lines;
    for (std::string_view line; reader.next(line);) lines.emplace_back(line);
    EXPECT_EQ(lines, (std::vector<std::string>{"one", "two"}));
  }
}

}  // namespace
}  // namespace trainmark
