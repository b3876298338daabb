// Tar files as WebDataset reads them: x.jpg with x.cls, the label as digits, side by side. Where
// they lie is found once, from the heads alone; then each picture is one read.

#include <fmt/format.h>

#include <array>

#include "base/error.h"
#include "base/tar_head.h"
#include "base/text.h"
#include "data/formats/data_set.h"
#include "data/formats/fresh_item.h"
#include "data/formats/in_parallel.h"
#include "data/formats/item_file.h"
#include "data/formats/picture_files.h"
#include "data/formats/sharded_index.h"
#include "data/formats/shards.h"
#include "data/formats/staged_folder.h"
#include "data/formats/text_shards.h"
#include "data/formats/webdataset_samples.h"

namespace trainmark::data {

namespace fs = std::filesystem;

namespace {

/// Compressed ones are known, so that they can be refused with what to do.
bool is_tar_name(const std::string& name) {
  constexpr std::array endings = {".tar",    ".tar.gz",  ".tgz",     ".tar.zst",
                                  ".tar.xz", ".tar.bz2", ".tar.lz4", ".tar.Z"};
  return std::ranges::any_of(endings, [&](const char* ending) { return name.ends_with(ending); });
}

void refuse_compressed(const fs::path& path) {
  const std::string begin = beginning_of(path, 4);
  const bool packed = begin.starts_with("\x1f\x8b") || begin.starts_with("\x28\xb5\x2f\xfd") ||
                      begin.starts_with("\xfd\x37zX") || begin.starts_with("BZh") ||
                      begin.starts_with("\x04\x22\x4d\x18") || begin.starts_with("\x1f\x9d");
  if (packed || !path.string().ends_with(".tar"))
    throw UserError(
        fmt::format("{}: compressed, so that its pictures cannot be read in any order; "
                    "unpack it to a .tar first (its pictures are compressed already)",
                    printable(path.string())));
}

class WebDataset final : public DataSet {
 public:
  WebDataset(const fs::path& path, const std::vector<fs::path>& files) : shards_(files) {
    found_.resize(shards_.count());
    in_parallel(shards_.count(), [&](std::size_t shard) {
      found_[shard] = find_samples(InputFile(shards_[shard].path(), InputFile::Opened::stays));
    });
    for (const WebDatasetSamples& found : found_) {
      index_.add_shard(found.samples.size());
      for (const WebDatasetSamples::Sample& sample : found.samples)
        classes_ = std::max<std::int64_t>(classes_, std::int64_t{sample.label} + 1);
    }
    if (classes_ == 0)
      throw UserError(
          fmt::format("{}: there is no picture with a label in it; each x.jpg needs an "
                      "x.cls beside it that holds its class as a number",
                      printable(path.string())));
  }

  std::string format() const override { return "webdataset"; }
  std::string kind() const override { return kind::labelled_images; }
  std::int64_t size() const override { return index_.size(); }
  std::int64_t classes() const override { return classes_; }

  void read(std::int64_t index, Item& item) const override {
    const auto [shard, number] = index_[index];
    freshen(item);
    item.name = shards_[shard].name();
    item.name += ':';
    item.name += found_[shard].names[number];
    const WebDatasetSamples::Sample& sample = found_[shard].samples[number];
    if (sample.label < 0) throw BadItem(trouble_text(sample.label));
    item.label = sample.label;
    read_item_at(shards_[shard], sample.begin, sample.size, item.picture);
  }

 private:
  Shards shards_;
  std::vector<WebDatasetSamples> found_;
  ShardedIndex index_;
  std::int64_t classes_ = 0;
};

class WebDatasetWriter final : public DataSetWriter {
 public:
  explicit WebDatasetWriter(const WriterSettings& settings)
      : split_(settings.split),
        stage_(folder_for_shards(settings.folder, settings.split)),
        per_shard_(settings.items_per_shard) {}

  void write(const Item& item) override {
    TRAINMARK_ASSERT(item.label >= 0);
    const std::string extension = extension_of(item.picture);
    if (written_ % per_shard_ == 0) begin_shard();
    const std::string key = fmt::format("{:09}", written_++);
    const std::string label = std::to_string(item.label);
    write_member(key + "." + extension, item.picture);
    write_member(key + ".cls", {reinterpret_cast<const std::uint8_t*>(label.data()), label.size()});
  }

  void finish() override {
    if (!shard_) begin_shard();
    end_shard();
    stage_.publish();
  }

 private:
  void begin_shard() {
    if (shard_) end_shard();
    shard_.emplace(stage_.path() /
                   fmt::format("{}-{:06}.tar", split_name(split_), written_ / per_shard_));
  }

  void end_shard() {
    shard_->write(std::string(2 * tar_block, '\0'));
    shard_->close();
  }

  void write_member(const std::string& name, BytesView content) {
    shard_->write(tar_head(name, '0', content.size(), 0));
    shard_->write(content);
    shard_->write(std::string(tar_padding(content.size()), '\0'));
  }

  Split split_;
  StagedFolder stage_;
  std::optional<OutputFile> shard_;
  std::int64_t per_shard_;
  std::int64_t written_ = 0;
};

std::unique_ptr<DataSet> open_webdataset(const fs::path& path, Split split) {
  const std::vector<fs::path> files = shards_at(path, is_tar_name, split);
  for (const fs::path& shard : files) refuse_compressed(shard);
  return files.empty() ? nullptr : std::make_unique<WebDataset>(path, files);
}

const Registration<Format> registered(
    "webdataset",
    {".tar files of x.jpg or x.png, each with its class in x.cls",
     {kind::labelled_images},
     [](const fs::path& path) { return has_shards(path, is_tar_name); },
     open_webdataset,
     [](const WriterSettings& settings) { return std::make_unique<WebDatasetWriter>(settings); }});

}  // namespace

}  // namespace trainmark::data
