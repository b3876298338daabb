// The search for the first slow commit, in made-up histories whose truth is known.

#include "bisect/search.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "measure/simulated_trainer.h"

namespace trainmark {
namespace {

/// A history in one line: commit 0 is the good end, the last one the bad end.
struct History {
  int commits = 16;
  std::map<int, double> slow_downs = {{11, 0.05}};  // from which commit on, and by how much
  double start_spread = 0.003;  // standard deviation between two starts of one program
  std::set<int> broken = {};
  std::size_t vague = 0;  // so many of the first comparisons go wrong: their intervals are wide
  std::uint64_t seed = 1;
};

class MadeUpWorld {
 public:
  explicit MadeUpWorld(const History& history) : history_(history), noise_(history.seed) {
    world.suspects = [](const std::string& bad, const std::vector<std::string>& good) {
      int last_good = 0;
      for (const std::string& commit : good) last_good = std::max(last_good, std::stoi(commit));
      return split_evenly(last_good, std::stoi(bad));
    };
    world.compare = [this](const std::string& commit, std::size_t, double interval) {
      if (history_.broken.contains(std::stoi(commit))) throw Unusable("it does not build");
      return compare(std::stoi(commit), interval);
    };
  }

  SearchResult search(const SearchLimits& limits = {}) {
    return search_slow_commit("0", std::to_string(history_.commits - 1), limits, world);
  }

  SearchWorld world;

 private:
  static std::vector<std::string> split_evenly(int last_good, int bad) {
    std::vector<int> commits;
    for (int commit = last_good + 1; commit <= bad; ++commit) commits.push_back(commit);
    const auto evenness = [&](int commit) { return std::min(commit - last_good, bad - commit); };
    std::stable_sort(commits.begin(), commits.end(),
                     [&](int a, int b) { return evenness(a) > evenness(b); });
    std::vector<std::string> names;
    for (const int commit : commits) names.push_back(std::to_string(commit));
    return names;
  }

  double truth(int commit) const {
    double sum = 0;
    for (const auto& [first, slow_down] : history_.slow_downs)
      if (commit >= first) sum += std::log1p(slow_down);
    return sum;
  }

  /// As turns measure: to the interval that was asked for, or somewhat better. Both programs were
  /// restarted.
  PairedRatio compare(int commit, double interval) {
    PairedRatio ratio;
    ratio.half_width = interval * (0.7 + 0.3 * noise_.uniform());
    if (++compared_ <= history_.vague) ratio.half_width = vague_half_width;
    const double error = ratio.half_width / 2.2;  // what Student's t of some twenty blocks gives
    ratio.sure_half_width = 3 * error;
    ratio.ratio = std::exp(-truth(commit) + error * noise_.normal() +
                           history_.start_spread * std::sqrt(2.0) * noise_.normal());
    return ratio;
  }

  static constexpr double vague_half_width = 1;

  History history_;
  Noise noise_;
  std::size_t compared_ = 0;
};

struct SearchRates {
  double right = 0, wrong = 0, none = 0, undecided = 0, comparisons = 0;
};

SearchRates rates_of_searches(History history, int count) {
  SearchRates rates;
  const int first = history.slow_downs.empty() ? -1 : history.slow_downs.begin()->first;
  for (int trial = 1; trial <= count; ++trial) {
    history.seed = static_cast<std::uint64_t>(trial);
    const SearchResult result = MadeUpWorld(history).search();
    const bool found = result.end == SearchEnd::found;
    const bool right = found && std::stoi(result.suspects.front()) == first;
    rates.right += right;
    rates.wrong += found && !right;
    rates.undecided += result.end == SearchEnd::undecided;
    rates.none += result.end != SearchEnd::undecided && !found;
    rates.comparisons += static_cast<double>(result.comparisons);
  }
  for (double* rate :
       {&rates.right, &rates.wrong, &rates.none, &rates.undecided, &rates.comparisons})
    *rate /= count;
  return rates;
}

TEST(Search, FindsTheFirstSlowCommit) {
  for (int first = 1; first < 16; ++first) {
    MadeUpWorld world({.slow_downs = {{first, 0.1}}});
    const SearchResult result = world.search();
    ASSERT_EQ(result.end, SearchEnd::found);
    EXPECT_EQ(result.suspects, std::vector<std::string>{std::to_string(first)});
    EXPECT_NEAR(result.whole.ratio().ratio, 1 / 1.1, 0.02);
  }
}

TEST(Search, ComparesAClearSlowDownAsOftenAsBisectionNeeds) {
  const SearchRates rates = rates_of_searches({.slow_downs = {{11, 0.2}}}, 200);
  EXPECT_GE(rates.right, 0.99);
  EXPECT_LT(rates.comparisons, 6);  // the ends once, and four halvings of 15
}

TEST(Search, IsSeldomWrongWhereTheSlowDownIsSmall) {
  const SearchRates rates = rates_of_searches({.slow_downs = {{11, 0.03}}}, 500);
  EXPECT_GE(rates.right, 0.95);
  EXPECT_LE(rates.wrong, 0.02);
}

TEST(Search, LearnsHowFarStartsLieApart) {
  const SearchRates rates =
      rates_of_searches({.slow_downs = {{11, 0.05}}, .start_spread = 0.01}, 500);
  EXPECT_LE(rates.wrong, 0.05);
  EXPECT_GE(rates.right, 0.75);
}

// A program that others disturb while the ends are compared: a commit can be clear long before the
// half-way point is.
TEST(Search, ComparesTheBadEndAgainWhereThatIsWhatIsVague) {
  const SearchRates rates =
      rates_of_searches({.slow_downs = {{11, 1.5}}, .start_spread = 0.05, .vague = 4}, 200);
  EXPECT_GE(rates.right, 0.98);
  EXPECT_LE(rates.wrong, 0.01);
}

TEST(Search, FindsNothingWhereNothingIs) {
  const SearchRates rates = rates_of_searches({.slow_downs = {}}, 500);
  EXPECT_LE(rates.wrong, 0.005);
  EXPECT_GE(rates.none, 0.95);
}

TEST(Search, SkipsWhatDoesNotBuild) {
  MadeUpWorld world({.slow_downs = {{11, 0.1}}, .broken = {7, 8, 9}});
  const SearchResult result = world.search();
  ASSERT_EQ(result.end, SearchEnd::found);
  EXPECT_EQ(result.suspects.front(), "11");
  EXPECT_FALSE(result.skipped.empty());
  for (const auto& [commit, reason] : result.skipped) EXPECT_EQ(reason, "it does not build");
}

TEST(Search, NamesAllThatAreLeftWhereTheFirstSlowOneDoesNotBuild) {
  MadeUpWorld world({.slow_downs = {{11, 0.1}}, .broken = {10, 11}});
  const SearchResult result = world.search();
  EXPECT_EQ(result.end, SearchEnd::skipped);
  const std::set<std::string> left(result.suspects.begin(), result.suspects.end());
  EXPECT_EQ(left, (std::set<std::string>{"10", "11", "12"}));
}

TEST(Search, RefusesAnEndThatDoesNotBuild) {
  EXPECT_THROW(MadeUpWorld({.broken = {15}}).search(), Unusable);
}

TEST(Search, NamesTheFirstOfTwoThatShareTheSlowDown) {
  int first = 0;
  for (std::uint64_t seed = 1; seed <= 50; ++seed) {
    MadeUpWorld world({.slow_downs = {{5, 0.1}, {11, 0.1}}, .seed = seed});
    const SearchResult result = world.search();
    ASSERT_EQ(result.end, SearchEnd::found);
    first += result.suspects.front() == "5";
  }
  EXPECT_GE(first, 45);
}

TEST(Search, SaysWhenTheNoiseIsTooLarge) {
  MadeUpWorld world({.slow_downs = {{11, 0.02}}, .start_spread = 0.05});
  const SearchResult result = world.search();
  EXPECT_EQ(result.end, SearchEnd::undecided);
  EXPECT_FALSE(result.open.empty());
  EXPECT_GT(result.suspects.size(), 1U);
}

TEST(Search, KeepsToItsRuns) {
  const SearchLimits limits{.most_runs = 6};
  const SearchResult result = MadeUpWorld({}).search(limits);
  EXPECT_EQ(result.end, SearchEnd::undecided);
  EXPECT_LE(2 * result.comparisons, 6U);
}

TEST(Search, SaysThatTheBadEndIsFaster) {
  EXPECT_EQ(MadeUpWorld({.slow_downs = {{3, -0.1}}}).search().end, SearchEnd::faster);
}

TEST(Search, SaysThatItIsSlowerByLessThanMatters) {
  SearchLimits limits;
  limits.least = 0.2;
  EXPECT_EQ(MadeUpWorld({.slow_downs = {{3, 0.1}}}).search(limits).end, SearchEnd::less);
}

/// The table of docs/bisect.md.
TEST(Rates, DISABLED_Bisect) {
  fmt::print(
      "| slow-down | spread between starts | right | wrong | undecided | none | comparisons |\n");
  for (const double slow_down : {0.0, 0.02, 0.03, 0.05, 0.1})
    for (const double spread : {0.001, 0.003, 0.01}) {
      History history{.start_spread = spread};
      history.slow_downs =
          slow_down > 0 ? std::map<int, double>{{11, slow_down}} : std::map<int, double>{};
      const SearchRates rates = rates_of_searches(history, 1000);
      fmt::print("| {} % | {} % | {:.1f} % | {:.1f} % | {:.1f} % | {:.1f} % | {:.1f} |\n",
                 100 * slow_down, 100 * spread, 100 * rates.right, 100 * rates.wrong,
                 100 * rates.undecided, 100 * rates.none, rates.comparisons);
    }
}

}  // namespace
}  // namespace trainmark
