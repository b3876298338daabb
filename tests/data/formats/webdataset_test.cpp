#include "picture_sets.h"
#include "tar_files.h"
#include "temporary_folder.h"

namespace trainmark::data {
namespace {

TEST(WebDataset, IsReadAsItWasWritten) {
  const TemporaryFolder folder;
  std::vector<Item> items;
  for (int number = 0; number < 7; ++number)
    items.push_back(labelled(
        number % 2 == 0 ? jpeg_like(std::string(500 * number, 'x')) : png_like("y"), 3 * number));
  const auto set = round_trip(
      "webdataset", {.folder = folder.path(), .kind = kind::labelled_images, .items_per_shard = 3},
      items);
  expect_same_items(*set, items);
  EXPECT_EQ(set->classes(), 19);
  EXPECT_EQ(item_of(*set, 4).name, "train-000001.tar:000000004.jpg");
  EXPECT_EQ(names_in(folder.path()),
            (std::vector<std::string>{"train-000000.tar", "train-000001.tar", "train-000002.tar"}));
}

TEST(WebDataset, GathersWhatHasOneKey) {
  const TemporaryFolder folder;
  put_file(folder / "a.tar", tar_entry("__info__/x.json", "{}") + tar_entry("v1.0/a.cls", " 3\n") +
                                 tar_entry("v1.0/a.seg.png", "s") +
                                 tar_entry("v1.0/a.JPG", "first") + tar_entry("v1.0/a.json", "{}") +
                                 tar_entry("readme.txt", "r") + tar_entry("v2.0/a.jpeg", "second") +
                                 tar_entry("v2.0/a.cls", "0") + tar_entry(".hidden.jpg", "h") +
                                 tar_end());
  const auto set = open_data_set(folder / "a.tar");
  ASSERT_EQ(set->size(), 2);
  EXPECT_EQ(item_of(*set, 0).label, 3);
  EXPECT_EQ(item_of(*set, 0).picture, Bytes({'f', 'i', 'r', 's', 't'}));
  EXPECT_EQ(item_of(*set, 0).name, "a.tar:v1.0/a.JPG");
  EXPECT_EQ(item_of(*set, 1).label, 0);
}

TEST(WebDataset, NamesSamplesThatCannotBeUsed) {
  const TemporaryFolder folder;
  put_file(folder / "a.tar",
           tar_entry("a.jpg", "p") + tar_entry("b.cls", "1") + tar_entry("c.jpg", "p") +
               tar_entry("c.cls", "cat") + tar_entry("d.jpg", "p") + tar_entry("d.png", "p") +
               tar_entry("d.cls", "1") + tar_entry("e.jpg", "p") + tar_entry("e.cls", "-1") +
               tar_entry("f.jpg", "p") + tar_entry("f.cls", "99999999999") +
               tar_entry("g.jpg", "p") + tar_entry("g.cls", "1") + tar_entry("g.cls", "2") +
               tar_entry("h.jpg", "") + tar_entry("h.cls", "1") + tar_entry("i.jpg", "p") +
               tar_entry("i.cls", "1"));
  const auto set = open_data_set(folder / "a.tar");
  ASSERT_EQ(set->size(), 9);
  EXPECT_EQ(trouble_with(*set, 0), "there is no .cls of this name beside it");
  EXPECT_EQ(trouble_with(*set, 1), "there is no .jpg, .jpeg or .png of this name beside it");
  EXPECT_EQ(trouble_with(*set, 2), "its .cls is not one number from 0 on");
  EXPECT_EQ(trouble_with(*set, 3), "there are two pictures of this name");
  for (const int index : {4, 5, 6})
    EXPECT_EQ(trouble_with(*set, index), "its .cls is not one number from 0 on");
  EXPECT_EQ(trouble_with(*set, 7), "empty");
  EXPECT_EQ(item_of(*set, 8).label, 1);
  Item item;
  EXPECT_THROW(set->read(1, item), BadItem);
  EXPECT_EQ(item.name, "a.tar:b.cls");
  EXPECT_EQ(set->classes(), 2);
}

TEST(WebDataset, LosesOnlyTheLastSampleOfATruncatedFile) {
  const TemporaryFolder folder;
  const std::string whole = tar_entry("a.cls", "1") + tar_entry("a.jpg", "p") +
                            tar_entry("b.cls", "2") + tar_entry("b.jpg", std::string(2000, 'p'));
  put_file(folder / "a.tar", std::string_view(whole).substr(0, whole.size() - 1500));
  const auto set = open_data_set(folder / "a.tar");
  ASSERT_EQ(set->size(), 2);
  EXPECT_EQ(item_of(*set, 0).label, 1);
  EXPECT_TRUE(says(trouble_with(*set, 1), "truncated")) << trouble_with(*set, 1);
}

TEST(WebDataset, IsRefusedAsAWhole) {
  const TemporaryFolder folder;
  put_file(folder / "a.tar", tar_entry("a.jpg", "p"));
  EXPECT_TRUE(says(refusal_of(folder / "a.tar"), "each x.jpg needs an x.cls beside it"))
      << refusal_of(folder / "a.tar");
  put_file(folder / "b.tar.gz", "\x1f\x8b");
  EXPECT_TRUE(says(refusal_of(folder / "b.tar.gz"), "b.tar.gz: compressed"))
      << refusal_of(folder / "b.tar.gz");
  put_file(folder / "c.tar", "\x1f\x8b");
  EXPECT_TRUE(says(refusal_of(folder / "c.tar"), "c.tar: compressed"));
  put_file(folder / "d.tar", std::string(600, 'x'));
  EXPECT_TRUE(says(refusal_of(folder / "d.tar"), "d.tar: damaged at byte 0"));
}

TEST(WebDataset, IsTheShardsForTraining) {
  const TemporaryFolder folder;
  put_file(folder / "set-train-0.tar", tar_entry("a.jpg", "p") + tar_entry("a.cls", "1"));
  put_file(folder / "set-val-0.tar", tar_entry("a.jpg", "p") + tar_entry("a.cls", "5"));
  EXPECT_EQ(open_data_set(folder.path())->size(), 1);
  EXPECT_EQ(open_data_set(folder.path())->classes(), 2);
  EXPECT_EQ(open_data_set(folder / "set-val-0.tar")->classes(), 6);
}

}  // namespace
}  // namespace trainmark::data
