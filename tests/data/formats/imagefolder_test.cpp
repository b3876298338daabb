#include <sys/stat.h>

#include "picture_sets.h"
#include "temporary_folder.h"

namespace trainmark::data {
namespace {

namespace fs = std::filesystem;

/// The names of all items, in their order.
std::vector<std::string> item_names(const DataSet& set) {
  std::vector<std::string> names;
  for (std::int64_t index = 0; index < set.size(); ++index)
    names.push_back(item_of(set, index).name);
  return names;
}

TEST(ImageFolder, IsReadAsItWasWritten) {
  const TemporaryFolder folder;
  std::vector<Item> items;
  for (int label = 0; label < 12; ++label)
    items.push_back(labelled(jpeg_like("a" + std::to_string(label)), label));
  const auto set =
      round_trip("imagefolder",
                 {.folder = folder.path(), .kind = kind::labelled_images, .classes = 12}, items);
  expect_same_items(*set, items);  // class 10 comes behind class 9
  EXPECT_EQ(set->classes(), 12);
  EXPECT_EQ(set->kind(), kind::labelled_images);
}

TEST(ImageFolder, HasTheOrderOfTorchvision) {
  const TemporaryFolder folder;
  for (const char* name :
       {"b/2.jpg", "b/10.JPEG", "b/deep/1.png", "b/deep/in/1.png", "b/deep-er/1.png", "a/z.webp",
        "a/notes.txt", "B/x.jpg", "a/.hidden.jpg"})
    put_file(folder / name, jpeg_like(name));
  put_file(folder / "readme.jpg", "beside the classes");
  const auto set = open_data_set(folder.path());
  EXPECT_EQ(item_names(*set), (std::vector<std::string>{"B/x.jpg", "a/.hidden.jpg", "a/z.webp",
                                                        "b/10.JPEG", "b/2.jpg", "b/deep/1.png",
                                                        "b/deep-er/1.png", "b/deep/in/1.png"}));
  EXPECT_EQ(item_of(*set, 0).label, 0);
  EXPECT_EQ(item_of(*set, 2).label, 1);
  EXPECT_EQ(item_of(*set, 6).label, 2);
  EXPECT_EQ(set->class_name(2), "b");
  EXPECT_EQ(item_of(*set, 3).picture, jpeg_like("b/10.JPEG"));
}

TEST(ImageFolder, IsItsTrainingPartWhereItHasSplits) {
  const TemporaryFolder folder;
  for (const char* name : {"train/cat/1.jpg", "train/dog/1.jpg", "val/cat/1.jpg"})
    put_file(folder / name, jpeg_like(name));
  EXPECT_EQ(item_names(*open_data_set(folder.path())),
            (std::vector<std::string>{"cat/1.jpg", "dog/1.jpg"}));
  EXPECT_EQ(item_names(*open_data_set(folder / "val")), (std::vector<std::string>{"cat/1.jpg"}));
}

TEST(ImageFolder, MayHaveAClassThatIsCalledTrain) {
  const TemporaryFolder folder;
  for (const char* name : {"train/1.jpg", "bus/1.jpg"}) put_file(folder / name, jpeg_like(name));
  EXPECT_EQ(item_names(*open_data_set(folder.path())),
            (std::vector<std::string>{"bus/1.jpg", "train/1.jpg"}));
}

TEST(ImageFolder, IsRefusedWhereAFolderHasNoPicture) {
  const TemporaryFolder folder;
  put_file(folder / "a/1.jpg", jpeg_like(""));
  fs::create_directory(folder / "b");
  EXPECT_TRUE(says(refusal_of(folder.path()), "/b: there is no picture in it; remove the folder"))
      << refusal_of(folder.path());
}

TEST(ImageFolder, FollowsLinksButNotInCircles) {
  const TemporaryFolder folder;
  put_file(folder / "store/1.jpg", jpeg_like(""));
  fs::create_directories(folder / "set/a");
  fs::create_directory_symlink(folder / "store", folder / "set/a/link");
  fs::create_directory_symlink(folder / "set", folder / "set/a/circle");
  fs::create_directory_symlink(folder / "store", folder / "set/b");
  EXPECT_EQ(item_names(*open_data_set(folder / "set")),
            (std::vector<std::string>{"a/circle/b/1.jpg", "a/link/1.jpg", "b/1.jpg"}));
}

TEST(ImageFolder, NamesWhatCannotBeRead) {
  const TemporaryFolder folder;
  put_file(folder / "a/1.jpg", jpeg_like(""));
  put_file(folder / "a/2.jpg", "");
  fs::create_symlink("nowhere", folder / "a/3.jpg");
  ASSERT_EQ(mkfifo((folder / "a/4.jpg").c_str(), 0600), 0);
  const auto set = open_data_set(folder.path());
  ASSERT_EQ(set->size(), 4);
  EXPECT_EQ(trouble_with(*set, 0), "");
  EXPECT_EQ(trouble_with(*set, 1), "empty");
  EXPECT_EQ(trouble_with(*set, 2), "No such file or directory");
  EXPECT_EQ(trouble_with(*set, 3), "not a regular file");
  Item item;
  EXPECT_THROW(set->read(1, item), BadItem);
  EXPECT_EQ(item.name, "a/2.jpg");
}

TEST(ImageFolder, CannotBeWrittenWithAnEmptyClass) {
  const TemporaryFolder folder;
  const auto writer = writer_of(
      "imagefolder", {.folder = folder.path(), .kind = kind::labelled_images, .classes = 2});
  writer->write(labelled(jpeg_like(""), 0));
  EXPECT_TRUE(says(user_error_of([&] { writer->finish(); }), "class 1 would have no picture"));
}

}  // namespace
}  // namespace trainmark::data
