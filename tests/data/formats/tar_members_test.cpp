#include "data/formats/tar_members.h"

#include "picture_sets.h"
#include "tar_files.h"
#include "temporary_folder.h"

namespace trainmark::data {
namespace {

class TarMembersTest : public testing::Test {
 protected:
  /// The members of a tar file of these bytes.
  std::vector<TarMember> members_of(const std::string& bytes) {
    put_file(folder_ / "a.tar", bytes);
    const InputFile file(folder_ / "a.tar");
    TarMembers members(file);
    std::vector<TarMember> found;
    for (TarMember member; members.next(member);) found.push_back(member);
    return found;
  }

  std::string refusal(const std::string& bytes) {
    return user_error_of([&] { members_of(bytes); });
  }

  TemporaryFolder folder_;
};

/// A head whose fields were changed, with the sum that fits it.
std::string with_fitting_sum(std::string head) {
  head.replace(148, 8, "        ");
  unsigned sum = 0;
  for (const char letter : head) sum += static_cast<unsigned char>(letter);
  char digits[8] = {};
  snprintf(digits, sizeof digits, "%06o", sum);
  head.replace(148, 7, std::string(digits, 7));
  return head;
}

TEST_F(TarMembersTest, AreFoundWithTheirPlaces) {
  const auto found = members_of(tar_entry("a/x.jpg", std::string(700, 'p')) +
                                tar_entry("a/x.cls", "7") + tar_end());
  ASSERT_EQ(found.size(), 2U);
  EXPECT_EQ(found[0].name, "a/x.jpg");
  EXPECT_EQ(found[0].begin, 512U);
  EXPECT_EQ(found[0].size, 700U);
  EXPECT_TRUE(found[0].is_file);
  EXPECT_EQ(found[1].begin, 512U + 1024 + 512);
  EXPECT_EQ(found[1].first_bytes, "7");
}

TEST_F(TarMembersTest, HaveLongNames) {
  const std::string name = std::string(150, 'n') + ".jpg";
  const auto gnu = members_of(tar_entry("././@LongLink", name + '\0', 'L') +
                              tar_entry("short", "x") + tar_entry("b", "y"));
  ASSERT_EQ(gnu.size(), 2U);
  EXPECT_EQ(gnu[0].name, name);
  EXPECT_EQ(gnu[1].name, "b");
  const auto pax =
      members_of(tar_entry("pax", pax_record("mtime", "1.5") + pax_record("path", name), 'x') +
                 tar_entry("short", "x") + tar_entry("b", "y"));
  ASSERT_EQ(pax.size(), 2U);
  EXPECT_EQ(pax[0].name, name);
  EXPECT_EQ(pax[0].first_bytes, "x");
  EXPECT_EQ(pax[1].name, "b");
  std::string head = tar_head("x.jpg", '0', 0, 0);
  head.replace(345, 6, "a/long");
  EXPECT_EQ(members_of(with_fitting_sum(head)).at(0).name, "a/long/x.jpg");
}

TEST_F(TarMembersTest, HaveSizesThatTheirHeadsHaveNoRoomFor) {
  // pax: the head says 0.
  std::string entry = tar_entry("big", std::string(600, 'p'));
  entry.replace(124, 11, "00000000000");
  entry = with_fitting_sum(entry.substr(0, 512)) + entry.substr(512);
  const auto pax =
      members_of(tar_entry("pax", pax_record("size", "600"), 'x') + entry + tar_entry("b", "y"));
  ASSERT_EQ(pax.size(), 2U);
  EXPECT_EQ(pax[0].size, 600U);
  // GNU: a binary number.
  entry = tar_entry("big", std::string(600, 'p'));
  entry.replace(124, 12, std::string("\x80\0\0\0\0\0\0\0\0\0\x02\x58", 12));
  entry = with_fitting_sum(entry.substr(0, 512)) + entry.substr(512);
  const auto gnu = members_of(entry + tar_entry("b", "y"));
  ASSERT_EQ(gnu.size(), 2U);
  EXPECT_EQ(gnu[0].size, 600U);
}

TEST_F(TarMembersTest, AreNotAllFiles) {
  std::string link = tar_head("link", '2', 0, 0);
  link.replace(124, 11, "00000001000");  // whatever it says, nothing is behind it
  const auto found =
      members_of(tar_entry("folder/", "", '5') + with_fitting_sum(link) +
                 tar_entry("g", pax_record("comment", "x"), 'g') + tar_entry("x.cls", "1"));
  ASSERT_EQ(found.size(), 3U);
  EXPECT_FALSE(found[0].is_file);
  EXPECT_FALSE(found[1].is_file);
  EXPECT_TRUE(found[2].is_file);
}

TEST_F(TarMembersTest, EndWhereTheFileEnds) {
  EXPECT_TRUE(members_of("").empty());
  EXPECT_EQ(members_of(tar_entry("a", "x")).size(), 1U);
  EXPECT_EQ(members_of(tar_entry("a", "x") + tar_end() + "anything").size(), 1U);
  const auto cut = members_of(tar_entry("a", std::string(2000, 'x')).substr(0, 600));
  ASSERT_EQ(cut.size(), 1U);
  EXPECT_EQ(cut[0].size, 2000U);
  EXPECT_EQ(cut[0].first_bytes.size(), 88U);
}

TEST_F(TarMembersTest, AreRefusedWhereAHeadIsDamaged) {
  std::string bytes = tar_entry("a", "x") + tar_entry("b", "y");
  bytes[1024 + 3] = 'z';
  EXPECT_TRUE(says(refusal(bytes), "a.tar: damaged at byte 1024: not the head of an entry"))
      << refusal(bytes);
  EXPECT_TRUE(
      says(refusal(tar_entry("pax", "99 path=a\n", 'x')), "records before it that are not valid"));
  EXPECT_TRUE(
      says(refusal(tar_entry("pax", "9 size=x\n", 'x')), "records before it that are not valid"));
  EXPECT_TRUE(says(refusal(tar_head("long", 'L', 1 << 30, 0)), "a name that is too long"));
  EXPECT_TRUE(says(refusal(tar_entry("holes", "x", 'S')), "a file with holes"));
  std::string huge = tar_head("huge", '0', 0, 0);
  huge.replace(124, 12, std::string("\x80\0\0\0\x7f\xff\xff\xff\xff\xff\xff\xff", 12));
  EXPECT_TRUE(says(refusal(with_fitting_sum(huge)), "an impossible size"));
}

}  // namespace
}  // namespace trainmark::data
