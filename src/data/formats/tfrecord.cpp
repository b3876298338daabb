// TensorFlow's TFRecord files of tf.train.Example. A record is its length in eight bytes, the sum
// of those, its bytes, and the sum of them. Labels are taken as they stand: those of TensorFlow's
// own ImageNet scripts count from 1, and 0 is a class without pictures.

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <optional>

#include "base/error.h"
#include "base/text.h"
#include "data/formats/data_set.h"
#include "data/formats/fresh_item.h"
#include "data/formats/in_parallel.h"
#include "data/formats/picture_files.h"
#include "data/formats/sharded_index.h"
#include "data/formats/shards.h"
#include "data/formats/staged_folder.h"
#include "data/formats/tf_example.h"
#include "data/formats/tf_records.h"

namespace trainmark::data {

namespace fs = std::filesystem;

namespace {

/// "train-00000-of-01024": five digits of five; but not "model.data-00000-of-00001", a part of a
/// checkpoint.
bool is_numbered_shard(const std::string& name) {
  constexpr std::string_view pattern = "-00000-of-00000";
  if (name.size() < pattern.size() || name.find(".data-") != std::string::npos) return false;
  return std::ranges::equal(
      name.substr(name.size() - pattern.size()), pattern, [](char letter, char wanted) {
        return wanted == '0' ? letter >= '0' && letter <= '9' : letter == wanted;
      });
}

/// Also any name with "tfrecord" in it, except the indices that others make for such files.
bool is_tfrecord_name(const std::string& name) {
  if (name.ends_with(".idx") || name.ends_with(".index") || name.ends_with(".json")) return false;
  return name.find("tfrecord") != std::string::npos || is_numbered_shard(name);
}

class TfRecordSet final : public DataSet {
 public:
  TfRecordSet(const fs::path& path, const std::vector<fs::path>& files) : shards_(files) {
    found_.resize(shards_.count());
    in_parallel(shards_.count(), [&](std::size_t shard) {
      found_[shard] = find_tf_records(InputFile(shards_[shard].path(), InputFile::Opened::stays));
    });
    for (const TfRecords& found : found_) {
      index_.add_shard(found.begins.size());
      classes_ = std::max(classes_, found.largest_label + 1);
    }
    if (classes_ == 0)
      throw UserError(
          fmt::format("{}: no record in it has a picture and a label from 0 on; they are "
                      "the features 'image/encoded' and 'image/class/label', or 'image' "
                      "and 'label', of a tf.train.Example",
                      printable(path.string())));
  }

  std::string format() const override { return "tfrecord"; }
  std::string kind() const override { return kind::labelled_images; }
  std::int64_t size() const override { return index_.size(); }
  std::int64_t classes() const override { return classes_; }

  void read(std::int64_t index, Item& item) const override {
    const auto [shard, number] = index_[index];
    freshen(item);
    item.name = fmt::format("{}:{}", shards_[shard].name(), number);
    read_tf_record(shards_[shard], found_[shard].begins[number], item.picture);
    Bytes& record = item.picture;
    const TfExample example = find_in_example(record.size(), [&](std::uint64_t begin,
                                                                 std::size_t size) {
      return BytesView(record).subspan(begin, std::min<std::uint64_t>(size, record.size() - begin));
    });
    item.label = example.label;
    // The picture moves to the front: copying it within its own memory is cheaper than another.
    std::memmove(record.data(), record.data() + example.picture_begin, example.picture_size);
    record.resize(example.picture_size);
  }

 private:
  Shards shards_;
  std::vector<TfRecords> found_;
  ShardedIndex index_;
  std::int64_t classes_ = 0;
};

class TfRecordWriter final : public DataSetWriter {
 public:
  explicit TfRecordWriter(const WriterSettings& settings)
      : split_(settings.split),
        stage_(folder_for_shards(settings.folder, settings.split)),
        per_shard_(settings.items_per_shard) {}

  void write(const Item& item) override {
    TRAINMARK_ASSERT(item.label >= 0);
    const char* encoding = extension_of(item.picture) == "png" ? "PNG" : "JPEG";
    if (written_++ % per_shard_ == 0) begin_shard();
    shard_->write(frame_tf_record(make_example(item.picture, encoding, item.label)));
  }

  /// How many shards there are is a part of their names.
  void finish() override {
    if (!shard_) begin_shard();
    shard_->close();
    for (std::int64_t shard = 0; shard < shards_; ++shard) {
      std::error_code error;
      fs::rename(
          unnumbered(shard),
          stage_.path() / fmt::format("{}-{:05}-of-{:05}", split_name(split_), shard, shards_),
          error);
      if (error)
        throw SystemError(
            fmt::format("cannot rename {}: {}", unnumbered(shard).string(), error.message()));
    }
    stage_.publish();
  }

 private:
  fs::path unnumbered(std::int64_t shard) const {
    return stage_.path() / fmt::format("shard-{}", shard);
  }

  void begin_shard() {
    if (shard_) shard_->close();
    shard_.emplace(unnumbered(shards_++));
  }

  Split split_;
  StagedFolder stage_;
  std::optional<OutputFile> shard_;
  std::int64_t per_shard_;
  std::int64_t written_ = 0;
  std::int64_t shards_ = 0;
};

std::unique_ptr<DataSet> open_tfrecords(const fs::path& path, Split split) {
  const std::vector<fs::path> files = shards_at(path, is_tfrecord_name, split);
  return files.empty() ? nullptr : std::make_unique<TfRecordSet>(path, files);
}

const Registration<Format> registered(
    "tfrecord",
    {"TensorFlow's record files of examples with image/encoded and image/class/label",
     {kind::labelled_images},
     [](const fs::path& path) { return has_shards(path, is_tfrecord_name); },
     open_tfrecords,
     [](const WriterSettings& settings) { return std::make_unique<TfRecordWriter>(settings); }});

}  // namespace

}  // namespace trainmark::data
