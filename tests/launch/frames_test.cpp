#include "launch/frames.h"

#include <gtest/gtest.h>

#include <map>
#include <random>

namespace trainmark {
namespace {

std::string frames_of(int rank, std::string_view bytes, std::uint64_t first = 0) {
  std::string all;
  while (!bytes.empty()) all += take_frame({rank, first++, FrameKind::events, 12.5, ""}, bytes);
  return all;
}

struct Home {
  explicit Home(int ranks = 2)
      : reader(
            ranks,
            [this](const Frame& frame) {
              text[frame.rank] += frame.payload;
              sent = frame.sent;
            },
            [this](std::string_view words) { others += words; }) {}

  std::map<int, std::string> text;
  std::string others;
  double sent = 0;
  FrameReader reader;
};

std::string all_bytes() {
  std::string bytes;
  for (int i = 0; i < 5000; ++i) bytes += static_cast<char>(i % 256);
  return bytes + "\\n\n\\\\";
}

TEST(Frames, CarryEveryByte) {
  const std::string bytes = all_bytes();
  const std::string frames = frames_of(1, bytes);
  EXPECT_EQ(frames.size() % frame_size, 0U);
  Home home;
  home.reader.feed(frames);
  EXPECT_EQ(home.text[1], bytes);
  EXPECT_EQ(home.sent, 12.5);
  EXPECT_EQ(home.others, "");
  EXPECT_EQ(home.reader.lost(1), 0U);
}

// mpirun passes pieces of 4096 bytes on, and srun lines: both hold whole frames, from any rank.
TEST(Frames, OfSeveralRanksMayBeMixed) {
  const std::string bytes = all_bytes();
  std::vector<std::string> left = {frames_of(0, bytes), frames_of(1, bytes)};
  std::string mixed;
  std::mt19937 chance(1);
  while (!left[0].empty() || !left[1].empty()) {
    std::string& from = left[chance() % 2];
    const std::size_t size = std::min<std::size_t>(from.size(), frame_size * (1 + chance() % 8));
    mixed += from.substr(0, size);
    from.erase(0, size);
  }
  Home home;
  for (std::size_t at = 0; at < mixed.size(); at += 777) home.reader.feed(mixed.substr(at, 777));
  EXPECT_EQ(home.text[0], bytes);
  EXPECT_EQ(home.text[1], bytes);
}

TEST(Frames, StandBesideTheWordsOfOthers) {
  Home home;
  home.reader.feed("mpirun: Forwarding signal 10 to job\nno end of line" + frames_of(0, "hello"));
  home.reader.finish();
  EXPECT_EQ(home.text[0], "hello");
  EXPECT_EQ(home.others, "mpirun: Forwarding signal 10 to job\nno end of line\n");
}

TEST(Frames, ThatAreTornOrMissingAreNoticed) {
  const std::string frames = frames_of(0, std::string(2000, 'x'));
  Home missing;
  missing.reader.feed(frames.substr(0, frame_size) + frames.substr(3 * frame_size));
  EXPECT_EQ(missing.reader.lost(0), 2U);

  Home torn;
  std::string damaged = frames;
  damaged[frame_size + 100] = 'y';
  damaged.insert(3 * frame_size + 200, "a message in between\n");
  torn.reader.feed(damaged);
  EXPECT_EQ(torn.reader.lost(0), 2U);
  EXPECT_NE(torn.others.find("a message in between"), std::string::npos);
}

TEST(Frames, ThatComeTwiceCountOnce) {
  const std::string frames = frames_of(0, std::string(600, 'x'));
  Home home;
  home.reader.feed(frames + frames.substr(frames.size() - frame_size));
  home.reader.feed(frames_of(0, "y", frames.size() / frame_size));
  EXPECT_EQ(home.text[0], std::string(600, 'x') + "y");
  EXPECT_EQ(home.reader.lost(0), 0U);
}

// What comes over the network is not trusted.
TEST(Frames, OfARankThatIsNotThereAreWords) {
  Home home(1);
  home.reader.feed(frames_of(5, "x"));
  EXPECT_TRUE(home.text.empty());
  home.reader.feed(std::string(10'000'000, 'x'));
  EXPECT_GT(home.others.size(), 9'000'000U);
}

}  // namespace
}  // namespace trainmark
