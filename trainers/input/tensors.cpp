#include "input/tensors.h"

#include <ATen/ops/from_blob.h>

#include <algorithm>
#include <numeric>

#include "base/error.h"

namespace trainmark::train {
namespace {

/// Nobody writes to the tensor; LibTorch has no way to say so.
template <class Value>
at::Tensor view_of(const std::vector<Value>& values, at::IntArrayRef shape) {
  TRAINMARK_ASSERT(static_cast<std::int64_t>(values.size()) == c10::multiply_integers(shape));
  return at::from_blob(const_cast<Value*>(values.data()), shape,
                       c10::CppTypeToScalarType<Value>::value);
}

at::Tensor pictures_of(const std::vector<float>& floats, const data::Bytes& bytes,
                       std::int64_t items, const data::PipelineSettings& settings) {
  const std::array<std::int64_t, 4> shape = {items, settings.height, settings.width, 3};
  return settings.floats ? view_of(floats, shape) : view_of(bytes, shape);
}

bool is_padded(const std::vector<std::int32_t>& lengths, std::int32_t width) {
  return std::any_of(lengths.begin(), lengths.end(),
                     [&](std::int32_t length) { return length < width; });
}

Batch sentences(const data::HostBatch& batch, const data::PipelineSettings& settings,
                bool fixed_shapes) {
  const std::int64_t items = batch.items;
  const std::int64_t masked = settings.masked;
  Batch tensors{{"tokens", view_of(batch.tokens, {items, batch.source_tokens})},
                {"segments", view_of(batch.segments, {items, batch.source_tokens})},
                {"masked_positions", view_of(batch.masked_positions, {items, masked})},
                {"masked_labels", view_of(batch.masked_labels, {items, masked})},
                {"next_sentence", view_of(batch.next_sentence, {items})}};
  if (fixed_shapes || is_padded(batch.lengths, batch.source_tokens)) {
    tensors.add("lengths", view_of(batch.lengths, {items}));
  }
  return tensors;
}

Batch pairs_of_sentences(const data::HostBatch& batch, bool fixed_shapes) {
  const std::int64_t items = batch.items;
  Batch tensors{{"source", view_of(batch.tokens, {items, batch.source_tokens})},
                {"target", view_of(batch.target, {items, batch.target_tokens + 1})}};
  if (fixed_shapes || is_padded(batch.lengths, batch.source_tokens)) {
    tensors.add("source_lengths", view_of(batch.lengths, {items}));
  }
  if (fixed_shapes || is_padded(batch.target_lengths, batch.target_tokens)) {
    tensors.add("target_lengths", view_of(batch.target_lengths, {items}));
  }
  return tensors;
}

}  // namespace

Batch host_tensors(const data::HostBatch& batch, const data::PipelineSettings& settings,
                   bool fixed_shapes) {
  const std::int64_t items = batch.items;
  const auto pictures = [&] {
    return pictures_of(batch.images, batch.image_bytes, items, settings);
  };
  if (settings.kind == data::kind::labelled_images) {
    return {{"images", pictures()}, {"labels", view_of(batch.labels, {items})}};
  }
  if (settings.kind == data::kind::labelled_pixels) {
    return {{"images", pictures()},
            {"labels", view_of(batch.labels, {items, settings.height, settings.width})}};
  }
  if (settings.kind == data::kind::image_pairs) {
    return {
        {"images_a", pictures()},
        {"images_b", pictures_of(batch.other_images, batch.other_image_bytes, items, settings)}};
  }
  if (settings.kind == data::kind::masked_sentences) {
    return sentences(batch, settings, fixed_shapes);
  }
  TRAINMARK_ASSERT(settings.kind == data::kind::sentence_pairs);
  return pairs_of_sentences(batch, fixed_shapes);
}

std::int64_t items_of(const data::HostBatch& batch, const data::PipelineSettings& settings) {
  if (settings.kind != data::kind::sentence_pairs) return batch.items;
  return std::accumulate(batch.target_lengths.begin(), batch.target_lengths.end(), std::int64_t{0});
}

}  // namespace trainmark::train
