#pragma once

#include "data/pipeline/pipeline.h"
#include "workload/batch.h"

namespace trainmark::train {

/// The numbers of a batch under the names of the contract's inputs, where they lie: the tensors
/// hold as long as the batch does. Pictures are [N, height, width, 3]. Where sentences are padded,
/// their lengths are there, too; always, if `fixed_shapes` are asked for.
Batch host_tensors(const data::HostBatch& batch, const data::PipelineSettings& settings,
                   bool fixed_shapes);

/// In the unit of the workload: of translations the target's tokens are counted, without padding.
std::int64_t items_of(const data::HostBatch& batch, const data::PipelineSettings& settings);

}  // namespace trainmark::train
