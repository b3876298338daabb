#include "picture_sets.h"
#include "tar_files.h"
#include "temporary_folder.h"

namespace trainmark::data {
namespace {

TEST(OpenDataSet, SaysWhatItKnows) {
  const TemporaryFolder folder;
  EXPECT_TRUE(says(refusal_of(folder / "nothing"), "there is no such file or folder"));
  EXPECT_TRUE(says(refusal_of(folder.path()), "not a data set that is known"))
      << refusal_of(folder.path());
  EXPECT_TRUE(says(refusal_of(folder.path()), "imagefolder"));
  put_file(folder / "x.txt", "words");
  EXPECT_TRUE(says(refusal_of(folder / "x.txt"), "not a data set that is known"));
}

TEST(OpenDataSet, DoesNotChooseBetweenTwo) {
  const TemporaryFolder folder;
  put_file(folder / "faces.rec", "");
  put_file(folder / "more.tar", "");
  EXPECT_TRUE(
      says(refusal_of(folder.path()), "more than one data set in it (recordio, webdataset)"))
      << refusal_of(folder.path());
}

TEST(OpenDataSet, FindsOneFormatForWhatEachWrites) {
  for (const auto& [name, format] : Registry<Format>::all()) {
    if (!format.make_writer || format.kinds.front() == kind::masked_sentences ||
        format.kinds.front() == kind::sentence_pairs)
      continue;
    const TemporaryFolder folder;
    const auto writer =
        format.make_writer({.folder = folder.path(), .kind = format.kinds.front(), .classes = 1});
    Item item = labelled(png_like("x"), 0);
    item.second = item.picture;
    writer->write(item);
    writer->write_other(item);
    EXPECT_THROW(open_data_set(folder.path()), UserError)
        << name << " is there before it is finished";
    writer->finish();
    EXPECT_EQ(open_data_set(folder.path())->format(), name);
  }
}

}  // namespace
}  // namespace trainmark::data
