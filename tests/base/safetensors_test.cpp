#include "base/safetensors.h"

#include <gtest/gtest.h>

#include <fstream>

#include "base/error.h"
#include "temporary_folder.h"

namespace trainmark {
namespace {

class SafetensorsFiles : public testing::Test {
 protected:
  /// A file with this header, whose length is as said, and these numbers behind it.
  void write(const std::string& header, const std::vector<float>& data, std::uint64_t length) {
    std::ofstream file(path_, std::ios::binary);
    file.write(reinterpret_cast<const char*>(&length), sizeof length);
    file << header;
    file.write(reinterpret_cast<const char*>(data.data()),
               static_cast<std::streamsize>(data.size() * sizeof(float)));
  }
  void write(const std::string& header, const std::vector<float>& data) {
    write(header, data, header.size());
  }

  /// Why it is not read; empty where it is.
  std::string refusal() const {
    try {
      SafetensorsFile file(path_);
      return "";
    } catch (const UserError& error) {
      return error.what();
    }
  }

  TemporaryFolder folder_;
  std::string path_ = folder_ / "file.safetensors";
};

bool holds(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

TEST_F(SafetensorsFiles, GiveTheNumbersOfATensor) {
  write(R"({"b":{"dtype":"F32","shape":[1],"data_offsets":[8,12]},)"
        R"("a":{"dtype":"F32","shape":[2],"data_offsets":[0,8]}})",
        {1, 2, 3});
  SafetensorsFile file(path_);
  EXPECT_EQ(file.floats("a"), (std::vector<float>{1, 2}));
  EXPECT_EQ(file.floats("b"), (std::vector<float>{3}));
  EXPECT_THROW(file.floats("c"), UserError);
}

TEST_F(SafetensorsFiles, AreRefusedBeforeTheirBytesAreRead) {
  write("{}", {}, 3);
  EXPECT_TRUE(holds(refusal(), "its header claims 3 bytes")) << refusal();
  // As many bytes as the file has, but not where it has them.
  write(R"({"a":{"dtype":"F32","shape":[1],"data_offsets":[4,8]}})", {1});
  EXPECT_TRUE(holds(refusal(), "'a' overlap those of another tensor or leave a gap")) << refusal();
  write(R"({"a":{"dtype":"F32","shape":[1],"data_offsets":[0,4]},)"
        R"("b":{"dtype":"F32","shape":[1],"data_offsets":[0,4]}})",
        {1, 2});
  EXPECT_TRUE(holds(refusal(), "'b' overlap those of another tensor or leave a gap")) << refusal();
}

}  // namespace
}  // namespace trainmark
