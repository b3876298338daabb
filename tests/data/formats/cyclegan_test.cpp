#include "picture_sets.h"
#include "temporary_folder.h"

namespace trainmark::data {
namespace {

TEST(CycleGan, HasTwoSidesOfTheirOwnSizes) {
  const TemporaryFolder folder;
  const auto writer = writer_of("cyclegan", {.folder = folder.path(), .kind = kind::image_pairs});
  for (const char* text : {"a", "b", "c"}) writer->write(labelled(jpeg_like(text), -1));
  for (const char* text : {"x", "y"}) writer->write_other(labelled(png_like(text), -1));
  writer->finish();

  const auto set = open_data_set(folder.path());
  EXPECT_EQ(set->format(), "cyclegan");
  EXPECT_EQ(set->kind(), kind::image_pairs);
  ASSERT_EQ(set->size(), 3);
  ASSERT_EQ(set->other_size(), 2);
  EXPECT_EQ(item_of(*set, 2).picture, jpeg_like("c"));
  Item other;
  set->read_other(1, other);
  EXPECT_EQ(other.picture, png_like("y"));
  EXPECT_EQ(other.name, "trainB/0000001.png");
}

TEST(CycleGan, IsRefusedWithoutPicturesOnOneSide) {
  const TemporaryFolder folder;
  put_file(folder / "trainA/1.jpg", jpeg_like(""));
  std::filesystem::create_directory(folder / "trainB");
  EXPECT_TRUE(says(refusal_of(folder.path()), "trainB: there is no picture in it"));
}

}  // namespace
}  // namespace trainmark::data
