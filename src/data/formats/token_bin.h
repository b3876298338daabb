#pragma once

#include <cstdint>

namespace trainmark::data {

/// `token-bin` holds one long stream of tokens without sentences: whoever trains on it cuts it as
/// his model needs it, which the files do not say. An item is therefore a window of so many tokens,
/// as long as the longest sentence of BERT; pipelines cut shorter ones out of it. Windows lie side
/// by side and never across two shards; what is left at the end of a shard is no item, unless the
/// shard is shorter than a window. Which tokens are masked is up to the pipeline.
inline constexpr std::int32_t token_bin_window = 512;

}  // namespace trainmark::data
