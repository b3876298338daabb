// What NVIDIA's create_pretraining_data.py makes of text for BERT: HDF5 files of six datasets with
// one row per pair of sentences. Tokens are masked already; rows are padded with zeros.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <map>

#include "base/error.h"
#include "base/text.h"
#include "data/formats/band_cache.h"
#include "data/formats/data_set.h"
#include "data/formats/fresh_item.h"
#include "data/formats/hdf5_array.h"
#include "data/formats/hdf5_objects.h"
#include "data/formats/hdf5_writer.h"
#include "data/formats/in_parallel.h"
#include "data/formats/sharded_index.h"
#include "data/formats/shards.h"
#include "data/formats/staged_folder.h"
#include "data/formats/text_shards.h"

namespace trainmark::data {

namespace fs = std::filesystem;

namespace {

constexpr std::size_t unpacked_bytes = std::size_t{256} << 20;       // that are kept
constexpr std::size_t most_tokens_per_shard = std::size_t{1} << 24;  // of those written here
constexpr std::size_t width_step = 32;                               // likewise

using Row = std::vector<std::int32_t>;

/// The datasets of one file.
class Columns {
 public:
  explicit Columns(const InputFile& file)
      : places_(read_hdf5_root(file)),
        tokens_(file, "input_ids", place(file, "input_ids")),
        mask_(file, "input_mask", place(file, "input_mask")),
        segments_(file, "segment_ids", place(file, "segment_ids")),
        positions_(file, "masked_lm_positions", place(file, "masked_lm_positions")),
        labels_(file, "masked_lm_ids", place(file, "masked_lm_ids")),
        follows_(file, "next_sentence_labels", place(file, "next_sentence_labels")) {
    const std::uint64_t rows = tokens_.rows();
    if (mask_.rows() != rows || segments_.rows() != rows || positions_.rows() != rows ||
        labels_.rows() != rows || follows_.rows() != rows)
      refuse_hdf5(file, "its datasets differ in their number of rows");
    if (mask_.width() != tokens_.width() || segments_.width() != tokens_.width() ||
        labels_.width() != positions_.width() || follows_.width() != 1)
      refuse_hdf5(file, "the widths of its datasets do not match");
  }

  std::uint64_t rows() const { return tokens_.rows(); }

  void read(std::uint64_t row, BandCache& cache, Item& item) const {
    Row numbers;
    tokens_.read_row(row, cache, item.tokens);
    mask_.read_row(row, cache, numbers);
    item.tokens.resize(length_of(numbers));
    check_ids(item.tokens);
    segments_.read_row(row, cache, numbers);
    numbers.resize(item.tokens.size());
    item.split = split_of(numbers);
    read_masked(row, cache, item);
    follows_.read_row(row, cache, numbers);
    item.follows = numbers.front();
    if (item.follows != 0 && item.follows != 1)
      throw BadItem(fmt::format("its next_sentence_labels is {}, neither 0 nor 1", item.follows));
  }

 private:
  std::uint64_t place(const InputFile& file, const std::string& name) const {
    const auto found = places_.find(name);
    if (found != places_.end()) return found->second;
    throw UserError(
        fmt::format("{}: there is no dataset '{}'; BERT's have input_ids, input_mask, segment_ids, "
                    "masked_lm_positions, masked_lm_ids and next_sentence_labels",
                    printable(file.path().string()), name));
  }

  static void check_ids(const Row& ids) {
    const auto wrong = std::ranges::find_if(ids, [](std::int32_t id) { return id < 0; });
    if (wrong != ids.end()) throw BadItem(fmt::format("{} is not a token id", *wrong));
  }

  /// Ones as long as the sentences are, zeros behind.
  static std::size_t length_of(const Row& mask) {
    const auto end = std::ranges::find_if(mask, [](std::int32_t bit) { return bit != 1; });
    if (end == mask.begin() ||
        std::any_of(end, mask.end(), [](std::int32_t bit) { return bit != 0; }))
      throw BadItem("its input_mask is not ones followed by zeros");
    return static_cast<std::size_t>(end - mask.begin());
  }

  /// Zeros for the first sentence, ones for the second.
  static std::int32_t split_of(const Row& segments) {
    const auto second = std::ranges::find_if(segments, [](std::int32_t id) { return id != 0; });
    if (second == segments.end()) return 0;
    if (second == segments.begin() ||
        std::any_of(second, segments.end(), [](std::int32_t id) { return id != 1; }))
      throw BadItem("its segment_ids are not zeros followed by ones");
    return static_cast<std::int32_t>(second - segments.begin());
  }

  /// Place 0 is never masked: there it means that no more follow.
  void read_masked(std::uint64_t row, BandCache& cache, Item& item) const {
    positions_.read_row(row, cache, item.positions);
    labels_.read_row(row, cache, item.target);
    const auto end = std::ranges::find(item.positions, 0);
    item.positions.erase(end, item.positions.end());
    item.target.resize(item.positions.size());
    if (item.positions.empty()) throw BadItem("none of its tokens is masked");
    for (const std::int32_t position : item.positions)
      if (position < 0 || static_cast<std::size_t>(position) >= item.tokens.size())
        throw BadItem(fmt::format("it masks token {} of {}", position, item.tokens.size()));
    check_ids(item.target);
  }

  std::map<std::string, std::uint64_t> places_;
  Hdf5Array tokens_, mask_, segments_, positions_, labels_, follows_;
};

bool ends_in_hdf5(const std::string& name) {
  return name.ends_with(".hdf5") || name.ends_with(".h5");
}

class BertHdf5 : public DataSet {
 public:
  BertHdf5(const fs::path& path, const std::vector<fs::path>& files)
      : shards_(files), columns_(shards_.count()) {
    in_parallel(shards_.count(), [&](std::size_t shard) {
      columns_[shard] = std::make_unique<Columns>(shards_[shard]);
    });
    for (const auto& columns : columns_) rows_.add_shard(columns->rows());
    if (rows_.size() == 0)
      throw UserError(fmt::format("{}: it holds no rows", printable(path.string())));
  }

  std::string format() const override { return "bert-hdf5"; }
  std::string kind() const override { return kind::masked_sentences; }
  std::int64_t size() const override { return rows_.size(); }

  void read(std::int64_t index, Item& item) const override {
    const ShardedIndex::Place place = rows_[index];
    freshen(item);
    item.name = fmt::format("{}:{}", shards_[place.shard].name(), place.number);
    columns_[place.shard]->read(place.number, cache_, item);
  }

 private:
  Shards shards_;
  std::vector<std::unique_ptr<Columns>> columns_;  // of each shard
  ShardedIndex rows_;
  mutable BandCache cache_{unpacked_bytes};
};

/// A column that grows row by row, each padded with zeros.
class GrowingColumn {
 public:
  GrowingColumn(std::string name, std::uint64_t element_bytes, std::uint64_t width)
      : column_{std::move(name), element_bytes, width, {}} {}

  void add(const Row& numbers) {
    const std::size_t begin = column_.numbers.size();
    column_.numbers.resize(begin + column_.row_bytes());
    // Little-endian: the lower bytes of a number come first.
    for (std::size_t i = 0; i < numbers.size(); ++i)
      std::memcpy(&column_.numbers[begin + i * column_.element_bytes], &numbers[i],
                  column_.element_bytes);
  }

  Hdf5Column take() && { return std::move(column_); }

 private:
  Hdf5Column column_;
};

/// Writes what create_pretraining_data.py would; the width of a shard is that of its longest item.
class BertHdf5Writer : public DataSetWriter {
 public:
  explicit BertHdf5Writer(const WriterSettings& settings)
      : split_(settings.split),
        stage_(folder_for_shards(settings.folder, settings.split)),
        items_per_shard_(settings.items_per_shard) {}

  void write(const Item& item) override {
    TRAINMARK_ASSERT(!item.tokens.empty() && !item.positions.empty());
    TRAINMARK_ASSERT(item.positions.size() == item.target.size());
    TRAINMARK_ASSERT(item.split >= 0 && item.split < std::ssize(item.tokens));
    items_.push_back(item);
    tokens_ += item.tokens.size();
    if (std::ssize(items_) >= items_per_shard_ || tokens_ >= most_tokens_per_shard) write_shard();
  }

  void finish() override {
    if (!items_.empty()) write_shard();
    stage_.publish();
  }

 private:
  void write_shard() {
    std::size_t width = 0, masked = 0;
    for (const Item& item : items_) {
      width = std::max(width, item.tokens.size());
      masked = std::max(masked, item.positions.size());
    }
    width = (width + width_step - 1) / width_step * width_step;
    GrowingColumn tokens("input_ids", 4, width), mask("input_mask", 1, width),
        segments("segment_ids", 1, width), positions("masked_lm_positions", 4, masked),
        labels("masked_lm_ids", 4, masked), follows("next_sentence_labels", 1, 0);
    for (const Item& item : items_) {
      Row second(item.tokens.size(), item.split > 0 ? 1 : 0);
      std::fill_n(second.begin(), item.split, 0);
      tokens.add(item.tokens);
      mask.add(Row(item.tokens.size(), 1));
      segments.add(second);
      positions.add(item.positions);
      labels.add(item.target);
      follows.add({item.follows});
    }
    std::vector<Hdf5Column> columns;
    for (GrowingColumn* column : {&tokens, &mask, &segments, &positions, &labels, &follows})
      columns.push_back(std::move(*column).take());
    OutputFile file(stage_.path() / shard_name(split_, shards_++, ".hdf5"));
    file.write(make_hdf5(std::move(columns), Hdf5Packing::deflated));
    file.close();
    items_.clear();
    tokens_ = 0;
  }

  Split split_;
  StagedFolder stage_;
  std::int64_t items_per_shard_;
  std::size_t shards_ = 0;
  std::vector<Item> items_;  // of the shard that is being made
  std::size_t tokens_ = 0;   // of these
};

bool begins_as_hdf5(const fs::path& file) {
  constexpr std::string_view signature = "\x89HDF\r\n\x1a\n";
  return beginning_of(file, signature.size()) == signature;
}

bool recognizes(const fs::path& path) {
  std::error_code error;
  if (!fs::is_directory(path, error))
    return ends_in_hdf5(path.filename().string()) && begins_as_hdf5(path);
  return has_shards(path, ends_in_hdf5);
}

std::unique_ptr<DataSet> open_bert_hdf5(const fs::path& path, Split split) {
  const std::vector<fs::path> files = shards_at(path, ends_in_hdf5, split);
  return files.empty() ? nullptr : std::make_unique<BertHdf5>(path, files);
}

const Registration<Format> registered(
    "bert-hdf5",
    {"NVIDIA's data sets for BERT: *.hdf5 with input_ids, masked_lm_positions and so on",
     {kind::masked_sentences},
     recognizes,
     open_bert_hdf5,
     [](const WriterSettings& settings) { return std::make_unique<BertHdf5Writer>(settings); }});

}  // namespace

}  // namespace trainmark::data
