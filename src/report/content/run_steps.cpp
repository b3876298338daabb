#include "report/content/run_steps.h"

#include <simdjson.h>

#include <algorithm>
#include <limits>
#include <optional>

#include "base/error.h"
#include "base/files.h"
#include "measure/ranks.h"
#include "protocol/run_files.h"

// A page shows the steps of every run, and a journal may have tens of millions: they are read by
// simdjson, and a damaged line is passed over.

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

/// A step that follows `before`, or nothing where the line is another event or damaged.
std::optional<Step> read_step(simdjson::dom::element event, const std::vector<Step>& before) {
  std::string_view name;
  Step step;
  if (event["event"].get(name) != simdjson::SUCCESS || name != "step" ||
      event["step"].get(step.index) != simdjson::SUCCESS ||
      event["end"].get(step.end) != simdjson::SUCCESS ||
      event["seconds"].get(step.seconds) != simdjson::SUCCESS ||
      event["items"].get(step.items) != simdjson::SUCCESS)
    return std::nullopt;
  if (!before.empty() && (step.end < before.back().end || step.index <= before.back().index))
    return std::nullopt;
  simdjson::dom::element loss;
  step.has_loss = event["loss"].get(loss) == simdjson::SUCCESS;
  if (step.has_loss && loss.get(step.loss) != simdjson::SUCCESS)
    step.loss = std::numeric_limits<double>::quiet_NaN();
  return step;
}

std::vector<Step> read_steps(std::string events) {
  std::vector<Step> steps;
  const std::size_t size = events.size();
  events.append(simdjson::SIMDJSON_PADDING, ' ');
  simdjson::dom::parser parser;
  for (std::size_t begin = 0; begin < size;) {
    const std::size_t end = std::min(events.find('\n', begin), size);
    simdjson::dom::element event;
    if (parser.parse(events.data() + begin, end - begin, false).get(event) == simdjson::SUCCESS)
      if (const auto step = read_step(event, steps)) steps.push_back(*step);
    begin = end + 1;
  }
  return steps;
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
