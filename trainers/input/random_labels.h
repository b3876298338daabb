#pragma once

#include <memory>

#include "data/formats/data_set.h"
#include "input/feed.h"

namespace trainmark::train {

/// The data set of the options, of whose labels a share is random where they ask for it. Throws
/// UserError where the items have no labels.
std::shared_ptr<const data::DataSet> open_training_set(const FeedSetup& setup);

}  // namespace trainmark::train
