#include "journal/unmeasured.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/text.h"
#include "base/time.h"
#include "base/version.h"

namespace trainmark {

namespace {

SuiteRecord suite_of(const UnmeasuredSource& source, std::size_t cells) {
  SuiteRecord suite;
  suite.name = source.name;
  suite.title = source.title;
  suite.cells = cells;
  suite.rounds = 1;
  suite.started = utc_now();
  suite.trainmark = fmt::format("{} ({})", version(), commit());
  return suite;
}

}  // namespace

std::string AddedFigures::text(const std::string& folder) const {
  std::string words = fmt::format("{} added to {}", counted(added, "figure"), printable(folder));
  if (known > 0) words += fmt::format("; {} {} there already", known, known == 1 ? "was" : "were");
  return words;
}

UnmeasuredRuns::UnmeasuredRuns(const std::filesystem::path& folder, UnmeasuredSource source)
    : source_(std::move(source)), journal_(folder), before_(read_journal(folder)) {
  for (const RunRecord& run : before_.runs)
    if (const std::string identity = source_.identity(run); !identity.empty()) ++known_[identity];
}

void UnmeasuredRuns::add(RunRecord run) {
  const auto same = known_.find(source_.identity(run));
  if (same != known_.end() && same->second > 0) {
    --same->second;
    ++added_.known;
  } else {
    runs_.push_back(std::move(run));
    ++added_.added;
  }
}

AddedFigures UnmeasuredRuns::write() {
  if (runs_.empty()) return added_;
  journal_.append(to_record(suite_of(source_, runs_.size())));
  if (!before_.environments.contains(source_.environment))
    journal_.append(environment_record(source_.environment, nlohmann::json::object()));
  std::map<Cell, int> rounds;
  for (const RunRecord& run : before_.runs)
    rounds[run.cell] = std::max(rounds[run.cell], run.round);
  std::size_t number = before_.runs.size();
  for (RunRecord& run : runs_) {
    run.environment = source_.environment;
    run.round = ++rounds[run.cell];
    run.id = fmt::format("{:04}-{}-r{}", ++number, source_.environment, run.round);
    journal_.append(to_record(run));
  }
  return added_;
}

}  // namespace trainmark
