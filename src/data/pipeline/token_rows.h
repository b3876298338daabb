#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "data/pipeline/pipeline.h"

namespace trainmark::data {

/// Fills up sentences, and begins those that are to be foretold.
inline constexpr std::int64_t padding_token = 0;

/// Copies as many tokens as there is room for, and pads the rest; returns how many were copied.
/// Throws BadItem for an empty sentence, and for a token that the vocabulary does not have (0:
/// any).
std::int32_t put_tokens(std::span<const std::int32_t> tokens, std::int64_t vocabulary,
                        std::span<std::int64_t> row);

/// Rows of `wide` numbers become `narrow`, what is beyond is lost.
void narrow_rows(std::vector<std::int64_t>& rows, std::int64_t wide, std::int64_t narrow);

/// Sentences need a length and a vocabulary. Throws UserError.
void check_token_size(const PipelineSettings& settings);

}  // namespace trainmark::data
