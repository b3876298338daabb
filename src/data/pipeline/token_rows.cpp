#include "data/pipeline/token_rows.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/error.h"

namespace trainmark::data {

namespace {

constexpr int most_tokens = 16384;

}  // namespace

std::int32_t put_tokens(std::span<const std::int32_t> tokens, std::int64_t vocabulary,
                        std::span<std::int64_t> row) {
  if (tokens.empty()) throw BadItem("it is empty");
  const std::size_t length = std::min(tokens.size(), row.size());
  for (std::size_t i = 0; i < length; ++i) {
    const std::int32_t token = tokens[i];
    if (token < 0) throw BadItem(fmt::format("token {} of it is negative", i + 1));
    if (vocabulary > 0 && token >= vocabulary)
      throw BadItem(fmt::format("token {} of it is {}, and the workload's vocabulary is 0 to {}",
                                i + 1, token, vocabulary - 1));
    row[i] = token;
  }
  std::fill(row.begin() + static_cast<std::ptrdiff_t>(length), row.end(), padding_token);
  return static_cast<std::int32_t>(length);
}

void narrow_rows(std::vector<std::int64_t>& rows, std::int64_t wide, std::int64_t narrow) {
  if (wide == narrow) return;
  const std::int64_t count = static_cast<std::int64_t>(rows.size()) / wide;
  for (std::int64_t row = 1; row < count; ++row)
    std::copy_n(rows.begin() + row * wide, narrow, rows.begin() + row * narrow);
  rows.resize(static_cast<std::size_t>(count * narrow));
}

void check_token_size(const PipelineSettings& settings) {
  if (settings.tokens < 1 || settings.tokens > most_tokens)
    throw UserError(fmt::format("sentences of {} tokens cannot be made; write 1 to {}",
                                settings.tokens, most_tokens));
  if (settings.masked < 0 || settings.masked > settings.tokens)
    throw UserError(fmt::format("{} of {} tokens cannot be masked; write 0 to {}", settings.masked,
                                settings.tokens, settings.tokens));
}

}  // namespace trainmark::data
