#pragma once

#include "data/pipeline/pipeline.h"
#include "input/feed.h"

namespace trainmark::train {

/// How the pipeline is to make the batches of a workload.
data::PipelineSettings pipeline_settings(const FeedSetup& setup);

/// As many as the process has cores; on a GPU one less, for the thread that feeds it. Ranks that
/// are not pinned to cores of their own share those of the machine.
int default_workers(const std::string& device);

/// Steps are recorded with the shapes of the first batch, or may have others every time.
bool has_fixed_shapes(const Options& options);

}  // namespace trainmark::train
