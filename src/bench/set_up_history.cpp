#include "bench/set_up_history.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "base/error.h"
#include "journal/journal.h"
#include "measure/statistics.h"

namespace trainmark {

namespace {

namespace fs = std::filesystem;

constexpr std::size_t newest_journals = 3;
constexpr std::uintmax_t largest_journal = 32
                                           << 20;  // bytes: an estimate must not keep one waiting

/// A disk, or a folder of results, may have come from elsewhere.
bool is_same_machine(const nlohmann::json& one, const nlohmann::json& other) {
  for (const char* place : {"/cpu/model", "/system/instance/hostname"}) {
    const nlohmann::json::json_pointer pointer(place);
    if (!one.is_object() || !other.is_object()) return false;
    if (one.value(pointer, nlohmann::json()) != other.value(pointer, nlohmann::json()))
      return false;
  }
  return true;
}

std::string kind_of(const Cell& cell) {
  return fmt::format("{}:{}/{}", cell.workload, cell.size, cell.framework);
}

/// All that a run took beside its steps.
std::optional<double> set_up_of(const RunRecord& run) {
  const RunSummary& summary = run.summary;
  if (!run.ok || summary.used == 0 || !(summary.throughput.seconds > 0)) return std::nullopt;
  const double step = summary.throughput.seconds / static_cast<double>(summary.used);
  return std::max(0.0, run.seconds - step * static_cast<double>(summary.steps));
}

}  // namespace

void SetUpHistory::add(const JournalContents& contents, const nlohmann::json& environment) {
  std::set<std::string> here;
  for (const auto& [id, described] : contents.environments)
    if (is_same_machine(described, environment)) here.insert(id);
  for (const RunRecord& run : contents.runs) {
    const auto seconds = set_up_of(run);
    if (!seconds || !here.contains(run.environment)) continue;
    seconds_[kind_of(run.cell)].push_back(*seconds);
    seconds_[run.cell.framework].push_back(*seconds);
  }
}

std::optional<double> SetUpHistory::seconds(const Cell& cell) const {
  for (const std::string& kind : {kind_of(cell), cell.framework}) {
    const auto found = seconds_.find(kind);
    if (found != seconds_.end()) return median(found->second);
  }
  return std::nullopt;
}

SetUpHistory read_set_up_history(const fs::path& results, const nlohmann::json& environment) {
  std::vector<std::pair<fs::file_time_type, fs::path>> journals;
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(results, error)) {
    std::error_code missing;
    const fs::path file = journal_file(entry.path());
    const auto written = fs::last_write_time(file, missing);
    if (!missing && fs::file_size(file, missing) <= largest_journal && !missing)
      journals.emplace_back(written, entry.path());
  }
  std::sort(journals.rbegin(), journals.rend());
  if (journals.size() > newest_journals) journals.resize(newest_journals);
  SetUpHistory history;
  for (const auto& [written, folder] : journals) {
    try {
      history.add(read_journal(folder), environment);
    } catch (const UserError&) {
      continue;  // of a newer version, or no journal after all
    }
  }
  return history;
}

}  // namespace trainmark
