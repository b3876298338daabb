#pragma once

#include <nlohmann/json.hpp>

#include "bisect/comparisons.h"
#include "bisect/search.h"

namespace trainmark {

struct BisectRequest {
  Commit good, bad;
  SearchLimits limits;
  ComparisonOptions comparison;
  nlohmann::json question;  // all that the answer depends on; the same when it goes on
  bool resume = false;
};

/// Looks for the commit that made a program slower, into a folder from which it can go on. Throws
/// UserError (the folder holds another question), SystemError (an end of the range cannot be
/// measured, disk full) and Interrupted; what was measured is kept, and the trees are removed.
SearchResult bisect(const Repository& repository, const BisectRequest& request, Progress& progress,
                    const std::function<void(const std::string& line)>& tell);

/// Does this folder hold a bisect?
bool has_bisect(const std::filesystem::path& folder);

/// The answer in sentences.
std::string answer_text(const Repository& repository, const BisectRequest& request,
                        const SearchResult& result);

}  // namespace trainmark
