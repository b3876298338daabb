#include "engine/safetensors.h"

#include <gtest/gtest.h>
#include <torch/types.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "base/error.h"

namespace trainmark::train {
namespace {

namespace fs = std::filesystem;

class SafetensorsTest : public testing::Test {
 protected:
  void SetUp() override {
    std::string name = (fs::temp_directory_path() / "trainmark.XXXXXX").string();
    ASSERT_NE(mkdtemp(name.data()), nullptr);
    folder_ = name;
    path_ = folder_ / "file.safetensors";
  }
  void TearDown() override { fs::remove_all(folder_); }

  /// A file with this header, its length as it is or as said, and so many bytes behind it.
  void write(const std::string& header, std::size_t data_bytes, std::uint64_t length) const {
    std::ofstream file(path_, std::ios::binary);
    file.write(reinterpret_cast<const char*>(&length), sizeof length);
    file << header << std::string(data_bytes, 'd');
  }
  void write(const std::string& header, std::size_t data_bytes) const {
    write(header, data_bytes, header.size());
  }

  fs::path folder_;
  std::string path_;
};

TEST_F(SafetensorsTest, GivesBackWhatWasWritten) {
  const NamedTensors written = {
      {"stem.conv.weight", torch::rand({4, 3, 2, 2}).contiguous(at::MemoryFormat::ChannelsLast)},
      {"head.linear.bias", torch::rand({5})},
      {"half", torch::rand({3}).to(at::kHalf)},
      {"brain", torch::rand({2, 2}).to(at::kBFloat16)},
      {"count", torch::tensor(7)},
      {"empty", torch::empty({0, 3})}};
  write_safetensors(path_, written);
  const NamedTensors read = read_safetensors(path_);
  ASSERT_EQ(read.size(), written.size());
  for (const auto& [name, tensor] : written) {
    EXPECT_EQ(read.at(name).scalar_type(), tensor.scalar_type()) << name;
    EXPECT_TRUE(at::equal(read.at(name), tensor)) << name;
  }
}

TEST_F(SafetensorsTest, WritesTheFormatOfTheOthers) {
  write_safetensors(path_, {{"a", torch::zeros({2, 3})}});
  std::ifstream file(path_, std::ios::binary);
  std::uint64_t length = 0;
  file.read(reinterpret_cast<char*>(&length), sizeof length);
  EXPECT_EQ(length % 8, 0u);
  std::string header(length, '\0');
  file.read(header.data(), static_cast<std::streamsize>(length));
  EXPECT_EQ(nlohmann::json::parse(header),
            nlohmann::json::parse(
                R"({"a": {"dtype": "F32", "shape": [2, 3], "data_offsets": [0, 24]}})"));
  EXPECT_EQ(fs::file_size(path_), 8 + length + 24);
}

TEST_F(SafetensorsTest, ReadsMetadataOfOthersWithoutMinding) {
  write(R"({"__metadata__":{"format":"pt"},"a":{"dtype":"F32","shape":[1],"data_offsets":[0,4]}})",
        4);
  EXPECT_EQ(read_safetensors(path_).size(), 1u);
}

TEST_F(SafetensorsTest, RefusesFilesThatDoNotAddUp) {
  const auto refused = [&](const char* what) {
    EXPECT_THROW(read_safetensors(path_), UserError) << what;
  };
  const auto entry = [](const char* shape, const char* offsets, const char* dtype = "F32") {
    return std::string(R"({"a":{"dtype":")") + dtype + R"(","shape":)" + shape +
           R"(,"data_offsets":)" + offsets + "}}";
  };
  EXPECT_THROW(read_safetensors(folder_ / "none"), UserError);
  EXPECT_THROW(read_safetensors(folder_), UserError);
  std::ofstream(path_) << "short";
  refused("shorter than the length");
  write("{}", 0, UINT64_MAX);
  refused("a header longer than memory");
  write("{}", 0, 1'000'000);
  refused("a header longer than the file");
  write("{", 0);
  refused("not a JSON");
  write("[]", 0);
  refused("no object");
  write(std::string(100'000, '['), 0);
  refused("deep nesting");
  write(R"({"a":1})", 0);
  refused("an entry that is none");
  write(R"({"a":{"dtype":"F32"}})", 0);
  refused("no shape");
  write(entry("[1]", "[0,4]", "F33"), 4);
  refused("an unknown type");
  write(entry("[-1]", "[0,4]"), 4);
  refused("a negative size");
  write(entry("[1.5]", "[0,4]"), 4);
  refused("a size that is no integer");
  write(entry("[9223372036854775807,9223372036854775807]", "[0,4]"), 4);
  refused("a shape that overflows");
  write(entry("[4611686018427387905]", "[0,4]"), 4);
  refused("a shape that overflows to the right number of bytes");
  write(entry("[2]", "[0,4]"), 4);
  refused("fewer bytes than the shape");
  write(entry("[1]", "[4,0]"), 4);
  refused("offsets the wrong way round");
  write(entry("[1]", "[0,4]"), 3);
  refused("a file that is cut off");
  write(entry("[1]", "[0,4]"), 5);
  refused("bytes that belong to nobody");
  write(entry("[1]", "[4,8]"), 8);
  refused("a gap");
  write(entry("[1]", "[0]"), 4);
  refused("one offset");
  write(R"({"a":{"dtype":"F32","shape":[1],"data_offsets":[0,4]},)"
        R"("b":{"dtype":"F32","shape":[1],"data_offsets":[0,4]}})",
        4);
  refused("tensors that overlap");
}

}  // namespace
}  // namespace trainmark::train
