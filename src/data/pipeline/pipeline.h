#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "data/formats/data_set.h"
#include "data/pictures/resize.h"

namespace trainmark::data {

/// The samples of one epoch in their order: a permutation by seed and epoch, of which each rank has
/// every `ranks`-th. What does not fill a batch of every rank is left out of the epoch; where the
/// set is smaller than one batch of all ranks, the epoch is padded with its first samples.
struct Position {
  std::int64_t epoch = 0;
  std::int64_t batch = 0;  // of this rank, in the epoch

  bool operator==(const Position&) const = default;
};

enum class OnBadItem { skip, refuse };

/// What is done to labelled images in training.
enum class Augmentation {
  resized_crops,  // a random part of the picture, made as large as wanted; one in two mirrored
  shifts,         // the whole picture, moved by up to 1/8 of each side; one in two mirrored
  none,           // the whole picture
};

/// By the name that recipes have for it: resized-crops, shifts, none. Throws UserError.
Augmentation augmentation_named(const std::string& name);

struct PipelineSettings {
  std::string kind;  // of the workload; the data set must have the same
  std::uint64_t seed = 1;
  std::int64_t batch = 1;  // of this rank, in items (sentence pairs: in target tokens)
  int rank = 0;
  int ranks = 1;
  int workers = 1;   // threads
  int prefetch = 2;  // batches that are ready or being made, beyond the one in use
  /// Every item of the set once per epoch, in its order and without any chance; the last batch has
  /// what is left. Each rank has a block of the set, and blocks follow each other in the order of
  /// the ranks; sentence pairs with like lengths are in the order of those instead. An item that
  /// cannot be read is refused.
  bool evaluation = false;
  Augmentation augmentation = Augmentation::resized_crops;  // labelled images alone
  bool floats = true;  // normalized; else eight bits, to be normalized on the device
  /// Labelled images without `floats`: this share of each batch is left to a GPU, but for what it
  /// cannot decode.
  double encoded_share = 0;
  Normalization normalization;
  OnBadItem on_bad = OnBadItem::skip;
  Position start;
  /// Sentence pairs: batches are of like lengths, and as wide as these need. Else each has
  /// batch / tokens pairs of any length, and is as wide as `tokens`.
  bool like_lengths = true;
  // Shapes of the workload's size: those that its kind has.
  int height = 0;
  int width = 0;
  int tokens = 0;               // of a sentence: longer ones are cut, shorter ones padded
  int masked = 0;               // positions per sentence
  std::int64_t classes = 0;     // labels of the set must be below; 0: anything
  std::int64_t vocabulary = 0;  // likewise
};

/// A JPEG that is left to a device to decode (pictures/plain_jpeg.h).
struct EncodedPicture {
  Bytes bytes;  // empty where the picture is decoded already
  int width = 0;
  int height = 0;
};

/// One batch on the host. Which vectors are filled depends on the kind; shapes are those of the
/// contract's inputs, with the channels of a pixel side by side.
struct HostBatch {
  Position position;          // of this batch
  std::int64_t items = 0;     // pictures, sentences, pairs of sentences
  std::vector<float> images;  // [items, height, width, 3]; with `floats`
  Bytes image_bytes;          // the same in eight bits; without
  /// [items] with an `encoded_share`: `boxes` and `flipped` say what is to be done with each.
  std::vector<EncodedPicture> encoded;
  std::vector<float> other_images;  // of image-pairs
  Bytes other_image_bytes;
  std::vector<std::int64_t> labels;            // [items], or [items, height, width] (255: ignored)
  std::vector<std::int64_t> tokens;            // [items, tokens]: BERT's, or the source
  std::vector<std::int64_t> segments;          // [items, tokens]
  std::vector<std::int64_t> masked_positions;  // [items, masked]
  std::vector<std::int64_t> masked_labels;     // [items, masked]; -1: no label there
  std::vector<std::int64_t> next_sentence;     // [items]
  std::vector<std::int64_t> target;            // [items, target_tokens + 1]; begins with padding
  std::vector<std::int32_t> lengths;           // of each sentence or source: the rest is padding
  std::vector<std::int32_t> target_lengths;
  std::int32_t source_tokens = 0;  // the width of `tokens` of this batch
  std::int32_t target_tokens = 0;
  std::vector<std::string> names;  // of the items, for checks
  // That were cut out of the pictures, for checks; out of the resized ones where that comes first
  // (image-pairs, and the evaluation and shifts of labelled images), of which they may be beyond.
  std::vector<Box> boxes;
  std::vector<std::uint8_t> flipped;
};

/// What the pipeline met.
struct PipelineCounts {
  std::int64_t items = 0;
  std::int64_t skipped = 0;                // items that could not be read, once per epoch each
  std::vector<std::string> skipped_names;  // the first few, with the reason
};

/// Makes batches in threads of its own, ahead of whoever takes them. For a seed, batches are the
/// same whatever the number of workers: each item's chances depend on seed, epoch and item alone.
/// An item that cannot be read is replaced by the next one of the epoch's order, as this rank sees
/// it (sentence pairs: by the next one in the order of lengths); that one has its own place, too.
class Pipeline {
 public:
  Pipeline(std::shared_ptr<const DataSet> set, const PipelineSettings& settings);
  ~Pipeline();

  /// The next batch, in order; waits for it. The reference holds until the next call. Throws
  /// UserError that names the item where it cannot be read and `on_bad` is refuse, or where nothing
  /// of an epoch (or 10 000 items in a row) could be read, and throws it again when asked again.
  const HostBatch& next();

  /// Of this rank. In evaluation, ranks may differ by one, and one without any item has 0: then
  /// `next` must not be called.
  std::int64_t batches_per_epoch() const;
  PipelineCounts counts() const;

 private:
  class Machinery;
  std::unique_ptr<Machinery> machinery_;
};

}  // namespace trainmark::data
