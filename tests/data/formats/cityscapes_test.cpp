#include "picture_sets.h"
#include "temporary_folder.h"

namespace trainmark::data {
namespace {

constexpr const char* first_street =
    "leftImg8bit/train/aachen/aachen_000000_000019_leftImg8bit.png";
constexpr const char* second_street =
    "leftImg8bit/train/bochum/bochum_000000_000313_leftImg8bit.png";

TEST(Cityscapes, IsReadAsItWasWritten) {
  const TemporaryFolder folder;
  std::vector<Item> items;
  for (const char* text : {"a", "b", "c"}) {
    items.push_back(labelled(png_like(text), -1));
    items.back().second = png_like(std::string("labels of ") + text);
  }
  const auto set = round_trip(
      "cityscapes", {.folder = folder.path(), .kind = kind::labelled_pixels, .items_per_shard = 2},
      items);
  expect_same_items(*set, items);
  EXPECT_EQ(item_of(*set, 2).second, png_like("labels of c"));
  EXPECT_EQ(set->kind(), kind::labelled_pixels);
  EXPECT_EQ(set->classes(), 19);
  EXPECT_EQ(set->label_map(), std::nullopt);
}

TEST(Cityscapes, MapsTheNumbersThatItCameWith) {
  const TemporaryFolder folder;
  put_file(folder / first_street, png_like("1"));
  put_file(folder / "gtFine/train/aachen/aachen_000000_000019_gtFine_labelIds.png", png_like("2"));
  put_file(folder / "gtFine/train/aachen/aachen_000000_000019_gtFine_color.png", png_like("3"));
  const auto set = open_data_set(folder.path());
  EXPECT_EQ(item_of(*set, 0).second, png_like("2"));
  const auto map = set->label_map();
  ASSERT_TRUE(map);
  EXPECT_EQ(map->at(7), 0);  // road
  EXPECT_EQ(map->at(26), 13);
  EXPECT_EQ(set->class_name(13), "car");
  EXPECT_EQ(map->at(33), 18);  // bicycle
  for (const int ignored : {0, 4, 9, 14, 18, 29, 30, 34, 255}) EXPECT_EQ(map->at(ignored), 255);
}

TEST(Cityscapes, NamesLabelsThatAreMissing) {
  const TemporaryFolder folder;
  put_file(folder / first_street, png_like("1"));
  put_file(folder / second_street, png_like("2"));
  put_file(folder / "gtFine/train/bochum/bochum_000000_000313_gtFine_labelTrainIds.png",
           png_like("3"));
  const auto set = open_data_set(folder.path());
  EXPECT_EQ(trouble_with(*set, 0),
            "its labels, aachen/aachen_000000_000019_gtFine_labelTrainIds.png: No such file or "
            "directory");
  EXPECT_EQ(item_of(*set, 1).second, png_like("3"));
}

TEST(Cityscapes, HasOtherParts) {
  const TemporaryFolder folder;
  put_file(folder / first_street, png_like("1"));
  put_file(folder / "leftImg8bit/val/ulm/ulm_1_2_leftImg8bit.png", png_like("2"));
  put_file(folder / "gtFine/val/ulm/ulm_1_2_gtFine_labelTrainIds.png", png_like("3"));
  const auto set = open_data_set(folder / "leftImg8bit/val");
  EXPECT_EQ(item_of(*set, 0).name, "ulm/ulm_1_2_leftImg8bit.png");
  EXPECT_EQ(item_of(*set, 0).second, png_like("3"));
}

}  // namespace
}  // namespace trainmark::data
