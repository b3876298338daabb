#include "data/formats/splits.h"

#include "picture_sets.h"
#include "tar_files.h"
#include "temporary_folder.h"

namespace trainmark::data {
namespace {

namespace fs = std::filesystem;

std::string first_name(const fs::path& path, Split split) {
  return item_of(*open_data_set(path, split), 0).name;
}

std::string evaluation_refusal(const fs::path& path) {
  return user_error_of([&] { open_data_set(path, Split::evaluation); });
}

class Splits : public testing::Test {
 protected:
  void put(const std::string& name, const std::string& content = "1 2\t3\n") {
    put_file(folder_ / name, content);
  }
  void put_pictures(const std::vector<std::string>& names) {
    for (const std::string& name : names) put_file(folder_ / name, jpeg_like(name));
  }

  /// The names of items of each split begin with these.
  void expect_names(const fs::path& path, const std::string& training,
                    const std::string& evaluation) {
    EXPECT_EQ(first_name(path, Split::training), training);
    EXPECT_EQ(first_name(path, Split::evaluation), evaluation);
  }

  TemporaryFolder folder_;
};

TEST_F(Splits, AreNamedByTheirFiles) {
  put("a-train.tsv");
  put("a-validation.tsv");
  expect_names(folder_.path(), "a-train.tsv:1", "a-validation.tsv:1");
}

TEST_F(Splits, AreNamedByWholeWords) {
  put("interval.tsv");
  put("latest.tsv");
  put("words.tsv");
  EXPECT_TRUE(says(evaluation_refusal(folder_.path()), "has no evaluation split"));
  EXPECT_EQ(open_data_set(folder_.path())->size(), 3);
}

TEST_F(Splits, PreferValidationToTests) {
  put("train.tsv");
  put("test.tsv");
  expect_names(folder_.path(), "train.tsv:1", "test.tsv:1");
  put("VAL-1.tsv");
  put("val-2.tsv", "1\t2\n1\t2\n");
  expect_names(folder_.path(), "train.tsv:1", "VAL-1.tsv:1");
  EXPECT_EQ(open_data_set(folder_.path(), Split::evaluation)->size(), 3);
}

TEST_F(Splits, AreFoldersOfShards) {
  put("train/x-0.tsv");
  put("val/y-0.tsv");
  expect_names(folder_.path(), "x-0.tsv:1", "y-0.tsv:1");
  expect_names(folder_ / "train", "x-0.tsv:1", "y-0.tsv:1");
  expect_names((folder_ / "train").string() + "/", "x-0.tsv:1", "y-0.tsv:1");
}

TEST_F(Splits, MayLieBelowTheTrainingFiles) {
  put("x-0.tsv");
  put("validation/val-0.tsv");
  put("validation/val-1.tsv");
  expect_names(folder_.path(), "x-0.tsv:1", "val-0.tsv:1");
  EXPECT_EQ(open_data_set(folder_.path(), Split::evaluation)->size(), 2);
}

TEST_F(Splits, AreBesideASingleFile) {
  put("de_train.src", "1\n");
  put("de_train.tgt", "1\n");
  put("de_val.src", "2 3\n");
  put("de_val.tgt", "4\n");
  expect_names(folder_ / "de_train.tgt", "de_train.src:1", "de_val.src:1");
  EXPECT_EQ(item_of(*open_data_set(folder_ / "de_train.src", Split::evaluation), 0).target,
            std::vector<std::int32_t>{4});
}

TEST_F(Splits, AreMissedWithWhatToWrite) {
  put("train.tsv");
  for (const fs::path& path : {folder_.path(), folder_ / "train.tsv"})
    EXPECT_EQ(evaluation_refusal(path),
              path.string() + " has no evaluation split; write --evaluation-data PATH");
  put("only/val.tsv");
  EXPECT_TRUE(says(evaluation_refusal(folder_ / "only"), "has no evaluation split"))
      << "what is there is trained on";
}

TEST_F(Splits, OfTokensAreThoseOfNanoGptAndLlmC) {
  put("a/train.bin", "abcd");
  put("a/val.bin", "ab");
  expect_names(folder_ / "a", "train.bin:0", "val.bin:0");
  expect_names(folder_ / "a/train.bin", "train.bin:0", "val.bin:0");
}

TEST_F(Splits, OfPicturesInTarFiles) {
  for (const char* name : {"train-0.tar", "val-0.tar"})
    put(name, tar_entry("x.jpg", "\xff\xd8\xff") + tar_entry("x.cls", "1") + tar_end());
  expect_names(folder_.path(), "train-0.tar:x.jpg", "val-0.tar:x.jpg");
}

TEST_F(Splits, OfImageFoldersLieBesideTrain) {
  put_pictures({"train/cat/1.jpg", "train/dog/1.jpg", "val/cat/2.jpg", "val/dog/2.jpg"});
  expect_names(folder_.path(), "cat/1.jpg", "cat/2.jpg");
  expect_names(folder_ / "train", "cat/1.jpg", "cat/2.jpg");
  EXPECT_TRUE(says(evaluation_refusal(folder_ / "val"), "has no evaluation split"));
}

TEST_F(Splits, OfImageFoldersHaveClasses) {
  put_pictures({"train/cat/1.jpg", "test/1.jpg"});
  EXPECT_TRUE(says(evaluation_refusal(folder_.path()), "has no evaluation split"));
}

TEST_F(Splits, AreNotClassesThatAreCalledSo) {
  put_pictures({"cat/1.jpg", "test/1.jpg"});
  EXPECT_TRUE(says(evaluation_refusal(folder_.path()), "has no evaluation split"));
  EXPECT_EQ(open_data_set(folder_.path())->classes(), 2);
}

TEST_F(Splits, OfCityscapesAreValButNotTest) {
  for (const char* split : {"train", "test"}) {
    put_pictures({"leftImg8bit/" + std::string(split) + "/c/1_leftImg8bit.png",
                  "gtFine/" + std::string(split) + "/c/1_gtFine_labelTrainIds.png"});
  }
  EXPECT_TRUE(says(evaluation_refusal(folder_.path()), "has no evaluation split"));
  put_pictures({"leftImg8bit/val/c/2_leftImg8bit.png", "gtFine/val/c/2_gtFine_labelTrainIds.png"});
  expect_names(folder_.path(), "c/1_leftImg8bit.png", "c/2_leftImg8bit.png");
  expect_names(folder_ / "leftImg8bit/train", "c/1_leftImg8bit.png", "c/2_leftImg8bit.png");
}

TEST_F(Splits, OfTwoSidesAreTheirTests) {
  put_pictures({"trainA/1.jpg", "trainB/1.jpg", "testA/2.jpg"});
  EXPECT_TRUE(says(evaluation_refusal(folder_.path()), "has no evaluation split"));
  put_pictures({"testB/3.jpg"});
  expect_names(folder_.path(), "trainA/1.jpg", "testA/2.jpg");
  Item other;
  open_data_set(folder_.path(), Split::evaluation)->read_other(0, other);
  EXPECT_EQ(other.name, "testB/3.jpg");
}

class EvaluationSets : public Splits {
 protected:
  std::string name_of(const std::string& data, const std::string& evaluation_data) {
    const auto training = open_data_set(folder_ / data);
    const fs::path other = evaluation_data.empty() ? fs::path() : folder_ / evaluation_data;
    return item_of(*open_evaluation_set(*training, folder_ / data, other), 0).name;
  }
};

TEST_F(EvaluationSets, AreTheSplitOfWhicheverIsNamed) {
  put("a/train.tsv");
  put("a/val.tsv");
  put("b/train.tsv");
  put("b/test.tsv");
  put("c/other.tsv");
  EXPECT_EQ(name_of("a", ""), "val.tsv:1");
  EXPECT_EQ(name_of("a", "b"), "test.tsv:1");
  EXPECT_EQ(name_of("a", "c"), "other.tsv:1") << "it has one split";
  EXPECT_EQ(name_of("c", "a/val.tsv"), "val.tsv:1");
  EXPECT_TRUE(says(user_error_of([&] { name_of("c", ""); }), "has no evaluation split"));
}

TEST_F(EvaluationSets, OfImageFoldersNeedTheSameClasses) {
  put_pictures({"train/cat/1.jpg", "train/dog/1.jpg", "train/fox/1.jpg"});
  put_pictures({"val/cat/1.jpg", "val/fox/1.jpg"});
  EXPECT_EQ(user_error_of([&] { name_of(".", ""); }),
            "class 1 is 'dog' in the data set for training, and 'fox' in that for evaluation; "
            "both need folders of the same names");
  put_pictures({"val/dog/1.jpg"});
  EXPECT_EQ(name_of(".", ""), "cat/1.jpg");
  EXPECT_EQ(name_of("train", "val"), "cat/1.jpg");
}

}  // namespace
}  // namespace trainmark::data
