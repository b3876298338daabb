#pragma once

#include <ATen/core/Tensor.h>

#include <string>

#include "data/pipeline/pipeline.h"

namespace trainmark::train {

/// A device that decodes pictures by itself.
class PictureDecoder {
 public:
  virtual ~PictureDecoder() = default;

  virtual std::string name() const = 0;  // "nvjpeg"

  /// Decodes the encoded pictures of a batch, cuts, resizes and turns them, and puts them into
  /// their rows [N, height, width, 3], eight bits on the device. Returns when the device is done.
  /// Throws std::runtime_error that names the picture where one cannot be decoded.
  virtual void decode(const data::HostBatch& batch, const at::Tensor& rows) = 0;
};

}  // namespace trainmark::train
