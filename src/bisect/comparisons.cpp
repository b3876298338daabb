#include "bisect/comparisons.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <fstream>

#include "base/error.h"
#include "base/files.h"
#include "base/signals.h"
#include "base/text.h"
#include "base/time.h"
#include "base/version.h"
#include "bench/session.h"
#include "bisect/search.h"
#include "journal/journal.h"
#include "launch/describe.h"
#include "launch/local_processes.h"
#include "suite/suite_secrets.h"

namespace trainmark {

namespace {

namespace fs = std::filesystem;

constexpr double build_beat = 0.1;  // seconds between looks at a build
constexpr std::size_t longest_last_line = 4096;

// Two runs one after the other see two machines. So much, as a standard deviation, is left to that
// where they could not take turns.
constexpr double unpaired_spread = 0.03;
constexpr double normal_975 = 1.960;
constexpr double normal_995 = 2.576;

// Of a commit's id, in names that must stay the same while the repository grows.
constexpr std::size_t name_digits = 12;

std::string good_name(const Commit& commit) {
  return "good-" + commit.id.substr(0, name_digits);
}

std::string next_name(const Commit& commit) {
  return "commit-" + commit.id.substr(0, name_digits);
}

const RunRecord* run_of(const JournalContents& contents, const std::string& name, int round) {
  const RunRecord* found = nullptr;
  for (const RunRecord& run : contents.runs)
    if (run.cell.framework_name() == name && run.round == round) found = &run;  // the last counts
  return found;
}

std::optional<PairedRatio> ratio_by_turns(const JournalContents& contents, const RunRecord& next,
                                          const RunRecord& good) {
  for (const TurnsRecord& turns : contents.turns) {
    const auto place = [&](const RunRecord& run) {
      return std::find(turns.runs.begin(), turns.runs.end(), run.id) - turns.runs.begin();
    };
    const auto member = static_cast<std::size_t>(place(next));
    const auto base = static_cast<std::size_t>(place(good));
    if (member >= turns.runs.size() || base >= turns.runs.size()) continue;
    const PairedRatio ratio = paired_ratio(turns.blocks, member, base);
    if (std::isfinite(ratio.sure_half_width)) return ratio;
  }
  return std::nullopt;
}

double half_width_of(const RunRecord& run) {
  const Throughput& figure = run.summary.throughput;
  const double half = std::log(figure.interval.high / figure.value);
  return std::isfinite(half) ? half : 0;  // the spread between runs is far larger
}

PairedRatio ratio_of_runs(const RunRecord& next, const RunRecord& good) {
  const double inner = std::hypot(half_width_of(next), half_width_of(good));
  PairedRatio result;
  result.ratio = result.whole_ratio = next.summary.throughput.value / good.summary.throughput.value;
  result.half_width = std::hypot(inner, normal_975 * unpaired_spread);
  result.sure_half_width =
      std::hypot(normal_995 / normal_975 * inner, normal_995 * unpaired_spread);
  result.interval = {result.ratio * std::exp(-result.half_width),
                     result.ratio * std::exp(result.half_width)};
  result.blocks = 1;
  return result;
}

std::string how_it_ended(const RankOutcome& outcome) {
  if (!outcome.start_error.empty()) return "could not be started: " + outcome.start_error;
  if (!outcome.lost.empty()) return "was lost: " + outcome.lost;
  if (outcome.signal) return fmt::format("was ended by signal {}", *outcome.signal);
  return fmt::format("ended with exit code {}", outcome.code.value_or(-1));
}

/// The last line that says something.
std::string last_words(const std::string& text) {
  const std::vector<std::string> lines = split(text, '\n');
  const auto last = std::find_if(lines.rbegin(), lines.rend(),
                                 [](const std::string& line) { return !trim(line).empty(); });
  return last == lines.rend() ? "" : ": " + printable(trim(*last));
}

}  // namespace

Comparisons::Comparisons(const Repository& repository, const Commit& good,
                         ComparisonOptions options, Progress& progress)
    : repository_(repository), good_(good), options_(std::move(options)), progress_(progress) {}

fs::path Comparisons::results_of(const Commit& commit) const {
  return options_.folder / "commits" / commit.id.substr(0, name_digits);
}

PairedRatio Comparisons::compare(const Commit& commit, std::size_t number, double interval) {
  const int round = static_cast<int>(number) + 1;
  if (const auto known = find(commit, round)) return *known;
  build_trees(commit);
  measure(commit, round, interval);
  if (const auto measured = find(commit, round)) return *measured;
  throw SystemError(
      fmt::format("{} was not measured; its journal gives no reason", results_of(commit).string()));
}

std::optional<PairedRatio> Comparisons::find(const Commit& commit, int round) const {
  if (!has_journal(results_of(commit))) return std::nullopt;
  const JournalContents contents = read_journal(results_of(commit));
  const RunRecord* good = run_of(contents, good_name(good_), round);
  const RunRecord* next = run_of(contents, next_name(commit), round);
  if (next != nullptr && !next->ok)
    throw Unusable(fmt::format("it does not run ({}): {}; its logs: {}", next->failure,
                               printable(next->reason),
                               (results_of(commit) / next->folder).string()));
  if (good != nullptr && !good->ok && next != nullptr)
    throw SystemError(fmt::format("GOOD ({}) does not run ({}): {}; its logs: {}", good_.short_id,
                                  good->failure, printable(good->reason),
                                  (results_of(commit) / good->folder).string()));
  if (good == nullptr || next == nullptr) return std::nullopt;
  if (const auto ratio = ratio_by_turns(contents, *next, *good)) return ratio;
  return ratio_of_runs(*next, *good);
}

void Comparisons::build_trees(const Commit& commit) {
  const fs::path trees = options_.folder / "trees";
  if (!good_tree_) {
    good_tree_ = std::make_unique<WorkTree>(repository_, trees / "good", good_.id);
    try {
      build(*good_tree_, good_);
    } catch (const Unusable& unusable) {
      throw SystemError(fmt::format("GOOD ({}): {}", good_.short_id, unusable.what()));
    }
  }
  if (built_ == commit.id) return;
  built_.clear();
  if (!next_tree_) {
    next_tree_ = std::make_unique<WorkTree>(repository_, trees / "next", commit.id);
  } else {
    next_tree_->check_out(commit.id, options_.clean);
  }
  build(*next_tree_, commit);
  built_ = commit.id;
}

void Comparisons::build(const WorkTree& tree, const Commit& commit) {
  if (options_.build.empty()) return;
  const fs::path log = options_.folder / "builds" / (commit.id.substr(0, name_digits) + ".log");
  make_folders(log.parent_path());
  std::ofstream kept(log, std::ios::binary | std::ios::trunc);
  std::string tail;
  ProcessSpec spec;
  spec.command = {"sh", "-c", options_.build};
  spec.folder = tree.folder().string();
  spec.tells_events = false;
  LocalProcesses processes({spec}, [&](int, Stream, std::string_view bytes) {
    kept << bytes << std::flush;  // people look into it while it grows
    tail += bytes;
    if (tail.size() > longest_last_line) tail.erase(0, tail.size() - longest_last_line);
  });
  const double deadline = monotonic_seconds() + options_.build_limit;
  while (processes.wait(build_beat)) {
    if (options_.interrupted()) throw Interrupted();
    if (monotonic_seconds() > deadline)
      throw Unusable(fmt::format("the build took longer than {}; its log: {}",
                                 duration_text(options_.build_limit), log.string()));
  }
  const RankOutcome& outcome = processes.outcomes().front();
  if (outcome.failed())
    throw Unusable(fmt::format("the build {}{}; its log: {}", how_it_ended(outcome),
                               last_words(tail), log.string()));
}

void Comparisons::measure(const Commit& commit, int rounds, double interval) {
  Suite suite = options_.suite({good_name(good_), good_tree_->folder()},
                               {next_name(commit), next_tree_->folder()}, interval);
  suite.rounds = rounds;
  SessionOptions session;
  session.folder = results_of(commit);
  session.resume = true;
  session.retry_failed = true;  // what has failed for good is skipped before it comes here
  session.secrets = options_.secrets;
  suite.text = text_without_secrets(suite, session.secrets);
  // The machine is the same throughout; to ask it takes a while.
  session.environment = [this] {
    if (environment_.is_null()) environment_ = collect_environment();
    return environment_;
  };
  const Measuring measuring = settle_measuring(suite);
  const Catalog catalog =
      find_frameworks(home(), suite.frameworks, {good_name(good_), next_name(commit)});
  Plan plan;
  try {
    plan = make_plan(suite, catalog);
    refuse_empty(suite, plan);
  } catch (const UserError& error) {
    // No cell is left: neither program is there. That is no fault of the command line.
    throw SystemError(error.what());
  }
  for (const auto& skip : plan.skipped) {
    if (skip.cell.framework_name() == next_name(commit)) throw Unusable(skip.reason);
    throw SystemError(fmt::format("GOOD ({}) cannot be measured: {}", good_.short_id, skip.reason));
  }
  measure_suite(suite, plan, catalog, measuring, session, progress_, options_.interrupted);
}

}  // namespace trainmark
