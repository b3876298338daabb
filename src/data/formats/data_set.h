#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/registry.h"
#include "data/formats/splits.h"
#include "data/pictures/picture.h"

namespace trainmark::data {

/// What the items of a data set are, named as the contracts of workloads name it (`data:` in
/// workloads/NAME.yaml).
namespace kind {
inline constexpr const char* labelled_images = "labelled-images";
inline constexpr const char* labelled_pixels = "labelled-pixels";
inline constexpr const char* image_pairs = "image-pairs";
inline constexpr const char* masked_sentences = "masked-sentences";
inline constexpr const char* sentence_pairs = "sentence-pairs";
}  // namespace kind

/// One item as it lies in the data set, undecoded. A format fills what its kind has.
struct Item {
  std::string name;         // where it lies, for messages: "n01440764/x.JPEG", "train-0.tar:x.jpg"
  Bytes picture;            // encoded
  Picture decoded;          // instead of `picture`, where a format stores bare pixels: else empty
  Bytes second;             // encoded: the map of labels, or the picture of the other side
  std::int64_t label = -1;  // of labelled images
  std::vector<std::int32_t> tokens;     // of a sentence, or of the source
  std::vector<std::int32_t> target;     // of the translation; or the labels of masked positions
  std::vector<std::int32_t> positions;  // that are masked, where the data set says so
  std::int32_t split = 0;               // where the second sentence begins; 0: there is one
  std::int32_t follows = 0;             // the second sentence does not follow the first: 1
};

/// An item that cannot be read. The message says why, without its name.
class BadItem : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// Items by their numbers, read in any order by any number of threads at once. What is held in
/// memory is where they lie, and not what they are.
class DataSet {
 public:
  virtual ~DataSet() = default;

  virtual std::string format() const = 0;  // the name it is registered under
  virtual std::string kind() const = 0;
  virtual std::int64_t size() const = 0;

  /// Labels are in [0, classes). 0 where items have none.
  virtual std::int64_t classes() const { return 0; }

  /// The name of a class, where the data set knows one.
  virtual std::string class_name(std::int64_t label) const { return std::to_string(label); }

  /// What the numbers of the maps of labels stand for, where they are not classes already: class =
  /// map[number], 255 is ignored.
  virtual std::optional<std::array<std::uint8_t, 256>> label_map() const { return std::nullopt; }

  /// Fills `item`, whose memory is used again. Throws BadItem where this one cannot be read,
  /// SystemError where the disk fails.
  virtual void read(std::int64_t index, Item& item) const = 0;

  /// The length of a sentence, of pairs that of the target, without reading it; for batches of like
  /// lengths. 0: all are alike.
  virtual std::int32_t length(std::int64_t /*index*/) const { return 0; }
  virtual std::int32_t source_length(std::int64_t /*index*/) const { return 0; }  // of pairs

  /// The picture on the other side of `read(index)`: image-pairs are not aligned, and each side has
  /// its own number of pictures.
  virtual std::int64_t other_size() const { return 0; }
  virtual void read_other(std::int64_t /*index*/, Item& /*item*/) const {}

  /// Items of an evaluation. Two sides need not be of the same size; no picture counts twice.
  std::int64_t evaluation_size() const {
    return other_size() > 0 ? std::min(size(), other_size()) : size();
  }
};

/// Writes a data set, item after item. Nothing is there under its own name before `finish`.
class DataSetWriter {
 public:
  virtual ~DataSetWriter() = default;
  virtual void write(const Item& item) = 0;
  virtual void write_other(const Item& /*item*/) {}  // of image-pairs
  virtual void finish() = 0;
};

struct WriterSettings {
  std::filesystem::path folder;  // exists, and is empty
  std::string kind;
  std::int64_t classes = 0;
  std::int64_t items_per_shard = 1000;  // of formats that have shards
  Split split = Split::training;
  bool has_splits = false;  // the other split is written into the same folder
};

/// A format registers itself from its own file in formats/; nothing lists it:
///   const Registration<Format> registered("imagefolder", {...});
struct Format {
  std::string summary;             // one line, for lists
  std::vector<std::string> kinds;  // that it can hold
  /// Whether a path looks like one; cheap, and never true for two formats.
  std::function<bool(const std::filesystem::path&)> recognizes;
  /// Nothing where it has no such split; each has one for training. Throws UserError with the path,
  /// and the line or byte, where it is damaged beyond single items.
  std::function<std::unique_ptr<DataSet>(const std::filesystem::path&, Split)> open;
  std::function<std::unique_ptr<DataSetWriter>(const WriterSettings&)> make_writer;  // or none
};

/// Opens whatever lies there. Throws UserError that names the formats where none recognizes it.
/// Throws likewise where it has no such split.
std::unique_ptr<DataSet> open_data_set(const std::filesystem::path& path,
                                       Split split = Split::training);

/// The evaluation split of whatever lies there, or nothing. Throws likewise.
std::unique_ptr<DataSet> open_evaluation_split(const std::filesystem::path& path);

/// What a training is evaluated with: the evaluation split of the data set that is trained on or,
/// where another one is named, that one's; all of it, where it has no splits. Throws UserError,
/// also where its classes are others than those of `training`.
std::unique_ptr<DataSet> open_evaluation_set(const DataSet& training,
                                             const std::filesystem::path& data,
                                             const std::filesystem::path& evaluation_data);

}  // namespace trainmark::data
