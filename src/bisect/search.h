#pragma once

#include <functional>
#include <map>
#include <string>
#include <vector>

#include "measure/slow_down.h"

namespace trainmark {

/// A commit that cannot be compared: it does not build, or does not run.
class Unusable : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// What a search needs of the world. Commits are named by their ids.
struct SearchWorld {
  /// The commits of which one is the first slow one: `bad` and those of its ancestors that are no
  /// ancestors of a good one. Those that split them most evenly come first.
  std::function<std::vector<std::string>(const std::string& bad,
                                         const std::vector<std::string>& good)>
      suspects;
  /// The comparison with this number, from 0, of a commit with the good end; `interval`: how well
  /// it should be measured. Throws Unusable.
  std::function<PairedRatio(const std::string& commit, std::size_t number, double interval)>
      compare;
  /// Something has been decided.
  std::function<void(const std::string& line)> say = [](const std::string&) {};
  /// How a commit is called.
  std::function<std::string(const std::string& commit)> name = [](const std::string& commit) {
    return commit;
  };
};

struct SearchLimits {
  double least = 0.02;                // the slow-down that matters, as a share
  std::size_t most_comparisons = 20;  // of one commit
  std::size_t most_runs = 200;        // starts of the program; a comparison is two
};

enum class SearchEnd {
  found,
  less,        // the bad end is slower, but by less than the least
  not_slower,  // it is not
  faster,
  undecided,  // the noise is too large for the limits; `suspects` are left
  skipped,    // those of `suspects` that are left cannot be compared
};

struct SearchResult {
  SearchEnd end = SearchEnd::undecided;
  std::vector<std::string> suspects;  // the first slow commit is one of them; the last is bad
  SlowDown whole;                     // of the bad end
  std::map<std::string, SlowDown> measured;    // all that were compared
  std::map<std::string, std::string> skipped;  // and those that could not be, with the reason
  std::string open;                            // the commit that could not be decided
  std::size_t more = 0;                        // comparisons that would decide it, about
  std::size_t comparisons = 0;
};

/// Looks for the first slow commit after `good` up to `bad`, with as few comparisons as the noise
/// allows: each commit is compared until it is sure to which end it belongs. Throws Unusable where
/// an end itself cannot be compared.
SearchResult search_slow_commit(const std::string& good, const std::string& bad,
                                const SearchLimits& limits, const SearchWorld& world);

/// "4.1 % slower (3.5 % to 4.7 %)".
std::string slow_down_text(const SlowDown& slow_down);

}  // namespace trainmark
