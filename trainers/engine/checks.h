#pragma once

#include "common/options.h"
#include "engine/loop.h"
#include "protocol/rank_position.h"

namespace trainmark::train {

/// Whether the options go together. Throws UserError where they do not.
void check_options(const Options& options, const Files& files, const RankPosition& place);

}  // namespace trainmark::train
