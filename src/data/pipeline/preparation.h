#pragma once

#include <cstdint>
#include <functional>
#include <memory>

#include "data/pictures/decode.h"
#include "data/pictures/resize.h"
#include "data/pipeline/pipeline.h"

namespace trainmark::data {

/// What one worker works with; its memory is used for one item after the other.
struct Workbench {
  Item item;
  Item other;  // of image-pairs
  Decoder decoder;
  Resizer resizer;
  Picture decoded;
  Picture resized;
  Picture labels;
  Picture cut_labels;
  Picture resized_labels;
};

/// Turns items of one kind into rows of a batch.
class Preparation {
 public:
  virtual ~Preparation() = default;

  /// Makes room for `batch.items` items.
  virtual void lay_out(HostBatch& batch) const = 0;

  /// Puts the item on the workbench, whose number is `index`, into a slot. Several threads do so at
  /// once, each with a slot of its own. Throws BadItem and BadPicture.
  virtual void prepare(std::int64_t index, Workbench& bench, HostBatch& batch,
                       std::int64_t slot) const = 0;

  /// Once all slots are filled.
  virtual void finish(HostBatch& /*batch*/) const {}

  /// Items that a worker takes at a time: many where one takes no time.
  virtual std::int64_t grain() const { return 1; }
};

/// A kind of items registers itself from its own file:
///   const Registration<PreparedKind> registered(kind::labelled_images, {...});
struct PreparedKind {
  std::function<void(const PipelineSettings&)> check;  // throws UserError
  std::function<std::unique_ptr<Preparation>(std::shared_ptr<const DataSet>,
                                             const PipelineSettings&)>
      make;
};

}  // namespace trainmark::data
