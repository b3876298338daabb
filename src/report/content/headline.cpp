#include <algorithm>
#include <map>
#include <set>

#include "base/text.h"
#include "report/content/contests.h"

namespace trainmark {

namespace {

constexpr std::size_t named_ties = 2;  // contests that a sentence has room for
constexpr std::size_t named_rivals = 2;

bool is_open(const Contest& contest) {
  return contest.usual && contest.best() && contest.standings.size() > 1;
}

/// As short as tells the contests of this report apart.
class ContestNames {
 public:
  explicit ContestNames(const std::vector<const Contest*>& contests) {
    for (const Contest* contest : contests) {
      sizes_.insert(contest->size);
      devices_.insert(contest->device);
      precisions_.insert(contest->precision);
    }
  }

  std::string of(const Contest& contest) const {
    std::string name = contest.workload;
    if (sizes_.size() > 1) name += " " + contest.size;
    if (devices_.size() > 1) name += " " + contest.device;
    if (precisions_.size() > 1) name += " " + contest.precision;
    return printable(name);
  }

 private:
  std::set<std::string> sizes_, devices_, precisions_;
};

std::vector<std::string> rivals(const std::vector<const Standing*>& ties, Language language) {
  std::vector<std::string> names;
  for (const Standing* tie : ties)
    if (names.size() < named_rivals) names.push_back(printable(tie->result->cell.framework));
  if (ties.size() > named_rivals)
    names.push_back(say(Word::headline_more, language, ties.size() - named_rivals));
  return names;
}

/// "a, b and c".
std::string listed(std::vector<std::string> names, Language language) {
  if (language == Language::zh) return join(names, "、");
  const std::string last = names.back();
  names.pop_back();
  return names.empty() ? last : join(names, ", ") + " and " + last;
}

/// "on bert it ties with jax:jit"; one that more runs might decide says so.
std::string tie_text(const Contest& contest, const std::string& name, Language language) {
  const std::vector<const Standing*> ties = contest.ties();
  const bool sure = std::all_of(ties.begin(), ties.end(), [](const Standing* tie) {
    return tie->place == Standing::Place::same;
  });
  const std::string best = printable(contest.best()->result->cell.framework);
  std::vector<std::string> names = rivals(ties, language);
  if (sure) return say(Word::headline_tie, language, name, best, listed(names, language));
  names.insert(names.begin(), best);
  return say(Word::headline_unclear, language, name, listed(names, language));
}

/// "; jax:jit on 2", the most victorious first.
std::string victories(const std::vector<std::pair<std::string, std::size_t>>& winners,
                      std::size_t contests, Language language) {
  std::string text;
  for (const auto& [framework, count] : winners)
    text += text.empty() ? say(Word::headline_fastest, language, framework, count, contests)
                         : say(Word::headline_also, language, framework, count);
  return text;
}

std::vector<std::pair<std::string, std::size_t>> winners_of(
    const std::vector<const Contest*>& contests) {
  std::map<std::string, std::size_t> counts;
  for (const Contest* contest : contests)
    if (contest->ties().empty()) ++counts[printable(contest->best()->result->cell.framework)];
  std::vector<std::pair<std::string, std::size_t>> winners(counts.begin(), counts.end());
  std::stable_sort(winners.begin(), winners.end(),
                   [](const auto& a, const auto& b) { return a.second > b.second; });
  return winners;
}

/// Of a single contest there is room to say by how much.
std::string single(const Contest& contest, const std::string& name, Language language) {
  if (!contest.ties().empty()) return tie_text(contest, name, language);
  const auto next =
      std::find_if(contest.standings.begin(), contest.standings.end(),
                   [](const Standing& entry) { return entry.place == Standing::Place::slower; });
  const std::string winner = printable(contest.best()->result->cell.framework);
  if (next == contest.standings.end()) return "";  // the others cannot be believed
  return say(Word::headline_single, language, winner, name,
             fmt::format("{:.2f}", 1 / next->versus.ratio),
             printable(next->result->cell.framework));
}

}  // namespace

std::string headline(const std::vector<Contest>& contests, Language language) {
  std::vector<const Contest*> open;
  for (const Contest& contest : contests)
    if (is_open(contest)) open.push_back(&contest);
  if (open.empty()) return "";
  const ContestNames names(open);
  std::string text;
  if (open.size() == 1) {
    text = single(*open.front(), names.of(*open.front()), language);
  } else {
    text = victories(winners_of(open), open.size(), language);
    const std::size_t named =
        text.empty() ? 1 : named_ties;  // where nobody won, an example will do
    std::size_t tied = 0;
    for (const Contest* contest : open) {
      if (contest->ties().empty() || ++tied > named) continue;
      if (!text.empty()) text += language == Language::zh ? "；" : "; ";
      text += tie_text(*contest, names.of(*contest), language);
    }
    if (tied > named) text += say(Word::headline_more_ties, language, tied - named);
  }
  if (text.empty()) return "";
  if (text.front() >= 'a' && text.starts_with("on ")) text.front() = 'O';
  return text + (language == Language::zh ? "。" : ".");
}

}  // namespace trainmark
