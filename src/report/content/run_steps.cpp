#include "report/content/run_steps.h"

#include <algorithm>

#include "base/error.h"
#include "base/files.h"
#include "measure/ranks.h"
#include "protocol/event_reader.h"
#include "protocol/run_files.h"

namespace trainmark {

namespace {

namespace fs = std::filesystem;

constexpr std::size_t largest_events = 64 << 20;  // bytes; the bench keeps 33 MiB of a rank
constexpr int most_ranks = 64;                    // of a larger job the first ones are read

/// Links included: where does the path really lead?
bool lies_inside(const fs::path& folder, const fs::path& path) {
  std::error_code error;
  const fs::path home = fs::canonical(folder, error);
  if (error) return false;
  const fs::path place = fs::canonical(path, error);
  if (error) return false;
  return std::mismatch(home.begin(), home.end(), place.begin(), place.end()).first == home.end();
}

std::vector<Step> rank_steps(const fs::path& folder, const fs::path& file) {
  if (!lies_inside(folder, file)) return {};
  try {
    return read_steps(read_file(file, largest_events));
  } catch (const UserError&) {
    return {};  // a trace that cannot be read is missing; the figures are in the journal
  }
}

}  // namespace

std::vector<Step> steps_of(const fs::path& folder, const RunRecord& run) {
  if (folder.empty() || run.folder.empty()) return {};
  const int ranks = run.cell.scale.ranks();
  std::vector<std::vector<Step>> all;
  for (int rank = 0; rank < std::min(ranks, most_ranks); ++rank) {
    all.push_back(rank_steps(folder, folder / run.folder / events_file(rank, ranks)));
    if (all.back().empty()) return {};
    const auto place = static_cast<std::size_t>(rank);
    if (place >= run.ranks.ranks.size()) continue;
    // Hosts have clocks of their own.
    for (Step& step : all.back()) step.end += run.ranks.ranks[place].clock_offset;
  }
  return job_steps(all);
}

}  // namespace trainmark
