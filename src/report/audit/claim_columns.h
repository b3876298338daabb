#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "report/audit/claim.h"

namespace trainmark {

/// What a column of a published table may tell.
enum class ClaimField {
  log,
  published,
  unit,
  gpus,
  nodes,
  scale,
  batch,
  global_batch,
  precision,
  rule,
  label
};

/// By the words that people head such columns with, whatever the case and the signs between them;
/// none where it is something else.
std::optional<ClaimField> claim_field(std::string_view heading);

/// The headings that are understood, for messages: "log (or file, path, …)".
std::string claim_field_words(ClaimField column);

/// "7,004.4 sequences/s" → 7004.4; none where the text does not begin with a number above 0.
std::optional<double> number_in_front(std::string_view text);

/// What follows that number: "sequences/s".
std::string words_behind_number(std::string_view text);

/// Puts a field into a claim. False where it should be a number and is none.
bool set_field(Claim& claim, ClaimField column, const std::string& text);

}  // namespace trainmark
