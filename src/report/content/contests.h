#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "measure/comparison.h"
#include "report/content/report.h"

namespace trainmark {

/// How a framework stands against the fastest of its contest.
struct Standing {
  /// `best`: the fastest that can be believed. The others by the test that `compare` makes: `same`
  /// and `unclear` are ties, of which only the first is known to be one. `doubtful` figures neither
  /// win nor tie.
  enum class Place { best, same, unclear, slower, doubtful };

  const Result* result = nullptr;
  Place place = Place::slower;
  Comparison versus;  // with the best; nothing for the best and for doubtful figures
};

/// Frameworks that train the same workload in the same precision at the same scale, each with its
/// fastest batch; the fastest first.
struct Contest {
  std::string workload, size, device, precision;
  Scale scale;
  bool usual = false;  // the scale at which most frameworks were measured; the smallest of those
  std::vector<Standing> standings;

  const Standing* best() const;
  /// Those that the best cannot be told apart from.
  std::vector<const Standing*> ties() const;
};

std::vector<Contest> contests_of(const ReportInput& input);

/// The verdicts after which a figure is hard to believe, however fast it is.
std::span<const std::string_view> doubtful_verdicts();
bool is_doubtful(const Result& result);

std::string_view place_name(Standing::Place place);  // "best", as JSON has it

/// Who won, in a sentence. Empty where there is nobody to compare.
std::string headline(const std::vector<Contest>& contests, Language language);

}  // namespace trainmark
