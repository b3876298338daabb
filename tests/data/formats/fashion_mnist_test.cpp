#include <zlib.h>

#include "picture_sets.h"
#include "temporary_folder.h"

namespace trainmark::data {
namespace {

std::string idx_bytes(const std::vector<std::uint32_t>& shape, const std::string& content) {
  std::string bytes{0, 0, 8, static_cast<char>(shape.size())};
  for (const std::uint32_t size : shape)
    for (const int shift : {24, 16, 8, 0}) bytes += static_cast<char>(size >> shift);
  return bytes + content;
}

void put_gzip(const std::filesystem::path& path, const std::string& content) {
  const gzFile file = gzopen(path.c_str(), "wb");
  gzwrite(file, content.data(), static_cast<unsigned>(content.size()));
  gzclose(file);
}

class FashionMnistTest : public testing::Test {
 protected:
  TemporaryFolder folder_;
  std::string images_ = idx_bytes({2, 2, 3}, "abcdefghijkl");  // two of 3 × 2
  std::string labels_ = idx_bytes({2}, "\x01\x09");
};

TEST_F(FashionMnistTest, IsEvaluatedWithItsTenThousand) {
  put_file(folder_ / "train-images-idx3-ubyte", images_);
  put_file(folder_ / "train-labels-idx1-ubyte", labels_);
  for (const char* path : {"", "train-images-idx3-ubyte"})
    EXPECT_TRUE(says(user_error_of([&] { open_data_set(folder_ / path, Split::evaluation); }),
                     "has no evaluation split"));
  put_gzip(folder_ / "t10k-images-idx3-ubyte.gz", idx_bytes({1, 1, 1}, "z"));
  put_gzip(folder_ / "t10k-labels-idx1-ubyte.gz", idx_bytes({1}, "\x04"));
  for (const char* path : {"", "train-images-idx3-ubyte"})
    EXPECT_EQ(open_data_set(folder_ / path, Split::evaluation)->size(), 1);
}

TEST_F(FashionMnistTest, IsItsTrainingPartOrTheFileThatIsNamed) {
  put_gzip(folder_ / "train-images-idx3-ubyte.gz", images_);
  put_gzip(folder_ / "train-labels-idx1-ubyte.gz", labels_);
  put_file(folder_ / "t10k-images-idx3-ubyte", idx_bytes({1, 1, 1}, "z"));
  put_file(folder_ / "t10k-labels-idx1-ubyte", idx_bytes({1}, "\x04"));
  const auto set = open_data_set(folder_.path());
  EXPECT_EQ(set->format(), "fashion-mnist");
  ASSERT_EQ(set->size(), 2);
  EXPECT_EQ(set->classes(), 10);
  EXPECT_EQ(set->class_name(9), "9");  // nothing says that they are garments
  const Item item = item_of(*set, 1);
  EXPECT_EQ(item.label, 9);
  EXPECT_TRUE(item.picture.empty());
  EXPECT_EQ(item.decoded.width, 3);
  EXPECT_EQ(item.decoded.height, 2);
  EXPECT_EQ(item.decoded.channels, 1);
  EXPECT_EQ(item.decoded.pixels, Bytes({'g', 'h', 'i', 'j', 'k', 'l'}));
  const auto test = open_data_set(folder_ / "t10k-images-idx3-ubyte");
  EXPECT_EQ(test->size(), 1);
  EXPECT_EQ(item_of(*test, 0).label, 4);
}

TEST_F(FashionMnistTest, IsRefusedWhereItIsDamaged) {
  const auto refusal = [&](const std::string& images, const std::string& labels) {
    put_file(folder_ / "train-images-idx3-ubyte", images);
    put_file(folder_ / "train-labels-idx1-ubyte", labels);
    return refusal_of(folder_.path());
  };
  EXPECT_EQ(refusal(images_, labels_), "");
  EXPECT_TRUE(says(refusal(images_, idx_bytes({3}, "abc")), "3 labels for 2 pictures"));
  EXPECT_TRUE(says(refusal(images_.substr(0, images_.size() - 1), labels_),
                   "it should hold 12 bytes, and holds 11"));
  EXPECT_TRUE(says(refusal(labels_, labels_), "not an IDX file of bytes with 3 dimensions"));
  EXPECT_TRUE(says(refusal(idx_bytes({0xffffffff, 0xffffffff, 0xffffffff}, ""), labels_),
                   "has an impossible size"));
  EXPECT_TRUE(says(refusal(idx_bytes({2, 0, 3}, ""), labels_), "have an unsupported size"));
  EXPECT_TRUE(says(refusal("", labels_), "not an IDX file"));
  put_gzip(folder_ / "packed", images_);
  const std::string packed = content_of(folder_ / "packed");
  EXPECT_TRUE(says(refusal(packed.substr(0, packed.size() - 10), labels_),
                   "train-images-idx3-ubyte: damaged or cut off"));
}

/// The real one, where Debian's package is installed.
TEST(FashionMnist, IsReadAsDebianInstallsIt) {
  const std::filesystem::path path = "/usr/share/datasets/fashion-mnist";
  if (!std::filesystem::exists(path)) GTEST_SKIP() << "dataset-fashion-mnist is not installed";
  const auto set = open_data_set(path);
  EXPECT_EQ(set->size(), 60'000);
  EXPECT_EQ(set->classes(), 10);
  const Item item = item_of(*set, 0);
  EXPECT_EQ(set->class_name(item.label), "Ankle boot");
  EXPECT_EQ(item.decoded.pixels.size(), 784U);
  EXPECT_EQ(open_data_set(path / "t10k-images-idx3-ubyte.gz")->size(), 10'000);
}

}  // namespace
}  // namespace trainmark::data
