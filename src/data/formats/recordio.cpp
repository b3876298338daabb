// MXNet's RecordIO files of pictures, and those of face recognition: their first record has no
// picture but two labels, which say that the pictures are records 1 to the first of them; behind
// those come records about whole identities.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "base/error.h"
#include "base/text.h"
#include "data/formats/data_set.h"
#include "data/formats/fresh_item.h"
#include "data/formats/in_parallel.h"
#include "data/formats/picture_files.h"
#include "data/formats/recordio_records.h"
#include "data/formats/sharded_index.h"
#include "data/formats/shards.h"
#include "data/formats/staged_folder.h"

namespace trainmark::data {

namespace fs = std::filesystem;

namespace {

constexpr std::size_t head_glimpse = 64;         // bytes: a head with a few labels
constexpr std::size_t glimpsed_at_once = 65536;  // records, for one thread
constexpr float most_label = 1 << 24;            // floats hold every integer up to there

bool is_recordio_name(const std::string& name) {
  return name.ends_with(".rec");
}

/// The records of one file that are pictures.
struct PictureRecords {
  std::vector<std::uint64_t> begins;
  std::size_t first = 0;  // the number of the first in the file
  bool faces = false;
};

/// The number of records before those of identities, where the first record says so.
std::optional<float> identities_begin(const InputFile& file, std::uint64_t first) {
  try {
    FileWindow window(file);
    const RecordBeginning beginning = see_recordio_beginning(window, first, head_glimpse);
    RecordIoHead head;
    read_recordio_head(beginning.bytes, head);
    if (head.labels.size() >= 2 && head.bytes == beginning.whole) return head.labels[0];
  } catch (const BadItem&) {
    // It is an item then, and whoever reads it is told.
  }
  return {};
}

PictureRecords find_pictures(const InputFile& file) {
  PictureRecords found{find_recordio_records(file)};
  if (found.begins.empty()) return found;
  const std::optional<float> end = identities_begin(file, found.begins[0]);
  if (!end) return found;
  const auto count = static_cast<float>(found.begins.size());
  if (!(*end >= 2 && *end <= count))
    throw UserError(
        fmt::format("{}: its first record says that its pictures end at record {}, but it "
                    "has {}; write it again",
                    printable(file.path().string()), *end, found.begins.size()));
  found.faces = true;
  found.first = 1;
  found.begins.resize(std::min(found.begins.size(), static_cast<std::size_t>(*end)));
  found.begins.erase(found.begins.begin());
  return found;
}

std::int64_t label_of(const RecordIoHead& head, bool faces) {
  // Faces have a second number, which says whether they were aligned.
  if (head.labels.size() != 1 && !faces)
    throw BadItem(fmt::format("it has {} labels, and one is wanted", head.labels.size()));
  const float label = head.labels.front();
  if (!(label >= 0 && label <= most_label) || label != std::floor(label))
    throw BadItem(fmt::format("its label is {}, not an integer from 0 on", label));
  return static_cast<std::int64_t>(label);
}

class RecordIoSet final : public DataSet {
 public:
  RecordIoSet(const fs::path& path, const std::vector<fs::path>& files) : shards_(files) {
    found_.resize(shards_.count());
    in_parallel(shards_.count(),
                [&](std::size_t shard) { found_[shard] = find_pictures(shards_[shard]); });
    for (const PictureRecords& found : found_) index_.add_shard(found.begins.size());
    find_classes();
    if (classes_ == 0)
      throw UserError(
          fmt::format("{}: no record in it has a label that is an integer from 0 on; "
                      "write it by MXNet's im2rec",
                      printable(path.string())));
  }

  std::string format() const override { return "recordio"; }
  std::string kind() const override { return kind::labelled_images; }
  std::int64_t size() const override { return index_.size(); }
  std::int64_t classes() const override { return classes_; }

  void read(std::int64_t index, Item& item) const override {
    const auto [shard, number] = index_[index];
    const PictureRecords& found = found_[shard];
    freshen(item);
    item.name = fmt::format("{}:{}", shards_[shard].name(), found.first + number);
    read_recordio_record(shards_[shard], found.begins[number], item.picture);
    RecordIoHead head;
    read_recordio_head(item.picture, head);
    const std::int64_t label = label_of(head, found.faces);
    item.picture.erase(item.picture.begin(),
                       item.picture.begin() + static_cast<std::ptrdiff_t>(head.bytes));
    if (item.picture.empty()) throw BadItem("there is no picture in it");
    item.label = label;
  }

 private:
  /// The largest label of some records of a shard, without their pictures; −1 where none has one.
  std::int64_t largest_label(std::size_t shard, std::size_t begin, std::size_t end) const {
    FileWindow window(shards_[shard]);
    RecordIoHead head;
    std::int64_t largest = -1;
    for (std::size_t number = begin; number < end; ++number) {
      try {
        const std::uint64_t place = found_[shard].begins[number];
        read_recordio_head(see_recordio_beginning(window, place, head_glimpse).bytes, head);
        largest = std::max(largest, label_of(head, found_[shard].faces));
      } catch (const BadItem&) {
        // Whoever reads the item is told.
      }
    }
    return largest;
  }

  void find_classes() {
    for (std::size_t shard = 0; shard < shards_.count(); ++shard) {
      const std::size_t records = found_[shard].begins.size();
      std::vector<std::int64_t> largest((records + glimpsed_at_once - 1) / glimpsed_at_once);
      in_parallel(largest.size(), [&](std::size_t block) {
        const std::size_t begin = block * glimpsed_at_once;
        largest[block] = largest_label(shard, begin, std::min(records, begin + glimpsed_at_once));
      });
      for (const std::int64_t label : largest) classes_ = std::max(classes_, label + 1);
    }
  }

  Shards shards_;
  std::vector<PictureRecords> found_;
  ShardedIndex index_;
  std::int64_t classes_ = 0;
};

class RecordIoWriter final : public DataSetWriter {
 public:
  explicit RecordIoWriter(const WriterSettings& settings)
      : stage_(folder_for_shards(settings.folder, settings.split)),
        records_(stage_.path() / (split_name(settings.split) + ".rec")),
        index_(stage_.path() / (split_name(settings.split) + ".idx")) {}

  void write(const Item& item) override {
    TRAINMARK_ASSERT(item.label >= 0 && static_cast<float>(item.label) <= most_label);
    (void)extension_of(item.picture);
    index_.write(fmt::format("{}\t{}\n", written_, records_.written()));
    records_.write(frame_recordio_record(
        pack_recordio(static_cast<float>(item.label), written_, item.picture)));
    ++written_;
  }

  void finish() override {
    records_.close();
    index_.close();
    stage_.publish();
  }

 private:
  StagedFolder stage_;
  OutputFile records_, index_;
  std::uint64_t written_ = 0;
};

std::unique_ptr<DataSet> open_recordio(const fs::path& path, Split split) {
  const std::vector<fs::path> files = shards_at(path, is_recordio_name, split);
  return files.empty() ? nullptr : std::make_unique<RecordIoSet>(path, files);
}

const Registration<Format> registered(
    "recordio",
    {"MXNet's .rec files of pictures, and those of face recognition",
     {kind::labelled_images},
     [](const fs::path& path) { return has_shards(path, is_recordio_name); },
     open_recordio,
     [](const WriterSettings& settings) { return std::make_unique<RecordIoWriter>(settings); }});

}  // namespace

}  // namespace trainmark::data
