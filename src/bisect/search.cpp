#include "bisect/search.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/text.h"

namespace trainmark {

namespace {

constexpr std::size_t runs_of_a_comparison = 2;

class Search {
 public:
  Search(std::string good, std::string bad, const SearchLimits& limits, const SearchWorld& world)
      : good_{std::move(good)}, end_(bad), bad_(std::move(bad)), limits_(limits), world_(world) {}

  SearchResult run() {
    result_.end = compare_ends();
    if (result_.end == SearchEnd::found) result_.end = narrow();
    result_.suspects = world_.suspects(bad_, good_);
    return std::move(result_);
  }

 private:
  /// `found`: there is something to look for.
  SearchEnd compare_ends() {
    const double least = std::log1p(limits_.least);
    while (may_compare(end_)) {
      compare_end(least);
      switch (judge_ends(result_.whole, least)) {
        case EndsAnswer::slower:
          return SearchEnd::found;
        case EndsAnswer::less:
          return SearchEnd::less;
        case EndsAnswer::not_slower:
          return SearchEnd::not_slower;
        case EndsAnswer::faster:
          return SearchEnd::faster;
        case EndsAnswer::open:
          break;
      }
    }
    result_.open = end_;
    return SearchEnd::undecided;
  }

  void compare_end(double slow_down) {
    compare(end_, wanted_interval(slow_down));
    world_.say(fmt::format("{} (bad): {}", world_.name(end_), slow_down_text(result_.whole)));
  }

  SearchEnd narrow() {
    for (;;) {
      const std::vector<std::string> suspects = world_.suspects(bad_, good_);
      if (suspects.size() == 1) return SearchEnd::found;
      const auto next = std::find_if(suspects.begin(), suspects.end(), [&](const auto& commit) {
        return commit != bad_ && !result_.skipped.contains(commit);
      });
      if (next == suspects.end()) return SearchEnd::skipped;
      try {
        if (!decide(*next, suspects.size())) return SearchEnd::undecided;
      } catch (const Unusable& unusable) {
        result_.skipped[*next] = unusable.what();
        world_.say(fmt::format("{}: skipped, {}", world_.name(*next), unusable.what()));
      }
    }
  }

  /// False where the limits are reached before it is clear where the commit belongs.
  bool decide(const std::string& commit, std::size_t suspects) {
    for (;;) {
      if (end_is_vaguer(commit)) {
        compare_end(result_.whole.value);
      } else if (may_compare(commit)) {
        compare(commit, wanted_interval(result_.whole.value));
      } else {
        break;
      }
      const SlowDown& found = result_.measured[commit];
      const Side side = side_of(found, result_.whole);
      world_.say(fmt::format("{}: {}, {} ({} left)", world_.name(commit), slow_down_text(found),
                             side == Side::good  ? "good"
                             : side == Side::bad ? "bad"
                                                 : "not clear yet",
                             suspects));
      if (side == Side::good) good_.push_back(commit);
      if (side == Side::bad) bad_ = commit;
      if (side != Side::open) return true;
    }
    result_.open = commit;
    if (result_.measured.contains(commit))
      result_.more = more_comparisons(result_.measured[commit], result_.whole);
    return false;
  }

  /// The half-way point is known less well than the commit that is compared with it: comparing the
  /// bad end once more says more than comparing the commit.
  bool end_is_vaguer(const std::string& commit) const {
    const auto own = result_.measured.find(commit);
    if (own == result_.measured.end() || !may_compare(end_)) return false;
    return result_.whole.sure_half_width / 2 > own->second.sure_half_width || !may_compare(commit);
  }

  bool may_compare(const std::string& commit) const {
    const auto found = comparisons_.find(commit);
    const std::size_t done = found == comparisons_.end() ? 0 : found->second.size();
    return done < limits_.most_comparisons &&
           runs_of_a_comparison * (result_.comparisons + 1) <= limits_.most_runs;
  }

  /// What all comparisons tell of the spread between starts counts for each that was measured.
  void compare(const std::string& commit, double interval) {
    std::vector<PairedRatio>& own = comparisons_[commit];
    own.push_back(world_.compare(commit, own.size(), interval));
    ++result_.comparisons;
    std::vector<std::vector<PairedRatio>> all;
    for (const auto& [name, comparisons] : comparisons_) all.push_back(comparisons);
    const double spread = start_spread(all);
    for (const auto& [name, comparisons] : comparisons_)
      if (!comparisons.empty()) result_.measured[name] = combine_comparisons(comparisons, spread);
    result_.whole = result_.measured[end_];
  }

  std::vector<std::string> good_;
  const std::string end_;  // the bad end
  std::string bad_;        // the first commit that is known to be bad
  const SearchLimits& limits_;
  const SearchWorld& world_;
  std::map<std::string, std::vector<PairedRatio>> comparisons_;
  SearchResult result_;
};

std::string percent(double log_change) {
  return fmt::format("{:.1f} %", 100 * std::abs(std::expm1(log_change)));
}

}  // namespace

SearchResult search_slow_commit(const std::string& good, const std::string& bad,
                                const SearchLimits& limits, const SearchWorld& world) {
  return Search(good, bad, limits, world).run();
}

std::string slow_down_text(const SlowDown& slow_down) {
  const auto signed_percent = [](double log_change) {
    return fmt::format("{:+.1f}", 100 * std::expm1(log_change));
  };
  return fmt::format("{} {} (95 %: {} to {} % of the time per item)", percent(slow_down.value),
                     slow_down.value < 0 ? "faster" : "slower",
                     signed_percent(slow_down.value - slow_down.half_width),
                     signed_percent(slow_down.value + slow_down.half_width));
}

}  // namespace trainmark
