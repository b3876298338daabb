#include "bench/turns.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "bench/active_run.h"
#include "bench/run_order.h"
#include "measure/steady_state.h"

namespace trainmark {

namespace {

constexpr double turn_beat = 0.02;        // seconds between looks at the one at work
constexpr double ask_again_after = 1;     // seconds, in case a trainer missed the request to pause
constexpr double pause_grace = 10;        // seconds to end the step, at least
constexpr double longest_steps = 5;       // or so many steps, where these take longer
constexpr std::size_t least_warm_up = 4;  // steps
constexpr double most_warm_up = 10;       // seconds after the first step
// Of what the hungriest needs, so much must be free before one more is started.
constexpr double memory_margin = 1.25;

/// What a trainer takes of each memory, by what was free before and after it was started.
using Bytes = std::vector<double>;

bool fits(const Bytes& needed, const Bytes& free) {
  for (std::size_t i = 0; i < std::min(needed.size(), free.size()); ++i)
    if (free[i] < memory_margin * needed[i]) return false;
  return true;
}

void raise(Bytes& most, const Bytes& before, const Bytes& after) {
  most.resize(before.size());
  for (std::size_t i = 0; i < std::min(before.size(), after.size()); ++i)
    if (before[i] > after[i]) most[i] = std::max(most[i], before[i] - after[i]);
}

/// A run among those that take turns.
struct Member {
  const RunTask* task = nullptr;
  std::size_t number = 0;     // of its task
  TurnsRule* rule = nullptr;  // the run's own
  std::unique_ptr<ActiveRun> run;
  double clock = 0;  // seconds that it was at work or could have been
  bool ended = false;
};

class TurnTaking {
 public:
  TurnTaking(const std::vector<RunTask>& tasks, const Measuring& measuring, const TurnHooks& hooks)
      : tasks_(tasks), measuring_(measuring), limits_(measuring.values), hooks_(hooks) {}

  TurnsResult measure() {
    start_all();
    if (living() == 1) end_left_over();
    take_turns();
    finish_all();
    return std::move(result_);
  }

 private:
  void start_all() {
    Bytes hungriest;
    for (std::size_t number = 0; number < tasks_.size(); ++number) {
      const Bytes free_before = hooks_.free_memories();
      if (!members_.empty() && !fits(hungriest, free_before)) {
        result_.postponed.push_back(number);
        continue;
      }
      start(number);
      if (warm_up(members_.back())) raise(hungriest, free_before, hooks_.free_memories());
    }
  }

  void start(std::size_t number) {
    auto rule =
        std::make_unique<TurnsRule>(static_cast<std::size_t>(measuring_.values.at("max_steps")));
    Member member{&tasks_[number], number, rule.get(), nullptr, 0, false};
    if (hooks_.started) hooks_.started(tasks_[number]);
    member.run = std::make_unique<ActiveRun>(tasks_[number], measuring_, 0, std::move(rule));
    members_.push_back(std::move(member));
  }

  /// Lets it set up, compile and settle. False where it has ended meanwhile.
  bool warm_up(Member& member) {
    double first_step = std::numeric_limits<double>::infinity();
    const bool alive = work(member, [&] {
      const std::size_t steps = member.run->source().count();
      if (steps > 0) first_step = std::min(first_step, member.clock);
      if (steps < least_warm_up) return false;
      return member.clock - first_step >= most_warm_up ||
             find_steady_state(member.run->source().steps()).window.size() >= least_warm_up;
    });
    return alive && rest(member);
  }

  void end_left_over() {
    for (Member& member : members_) {
      if (member.ended) continue;
      result_.left_over = member.number;
      member.ended = true;
      member.run.reset();
    }
  }

  void take_turns() {
    begin_turns();
    Decision decision;
    for (int block = 1; !decision.stop && living() > 1; ++block) {
      play(block);
      double longest = 0;
      for (const double spent : spent_) longest = std::max(longest, spent);
      decision = decide_turns(limits_, result_.turns.blocks, longest);
    }
    if (!decision.stop) decision = {.stop = true, .why = "ended", .converged = false};
    result_.turns.stopped = decision.why;
    result_.turns.converged = decision.converged;
    // How well a group knows its ratios is said of the group; nothing is wrong with its runs.
    for (Member& member : members_)
      if (!member.ended) member.rule->stop({.stop = true, .why = decision.why, .converged = true});
  }

  void begin_turns() {
    std::erase_if(members_, [](const Member& member) { return member.ended; });
    for (Member& member : members_) {
      member.rule->begin(member.run->source().count());
      result_.turns.runs.push_back(member.task->id);
    }
    spent_.assign(members_.size(), 0);
  }

  void play(int block) {
    const double nothing = std::numeric_limits<double>::quiet_NaN();
    TurnBlock figures(members_.size(), nothing);
    for (const Turn& turn : turns_of_block(members_.size(), measuring_.seed, block)) {
      Member& member = members_[turn.member];
      if (member.ended) continue;
      const double seconds_per_item = take_turn(member, turn);
      double& figure = figures[turn.member];
      // The mean of both turns: a trainer that ended in one of them has no part in this block.
      figure = (std::isnan(figure) ? 0 : figure) + 0.5 * turn.share * seconds_per_item;
    }
    result_.turns.blocks.push_back(std::move(figures));
  }

  /// Seconds per item over the steps of the turn; NaN where it ended.
  double take_turn(Member& member, const Turn& turn) {
    const std::size_t before = member.run->source().count();
    const double begin = member.clock;
    member.run->go_on();
    const bool alive = work(member, [&] {
      const std::size_t steps = member.run->source().count() - before;
      return steps >= static_cast<std::size_t>(turn.share) * limits_.turn_steps &&
             member.clock - begin >= turn.share * limits_.turn_seconds;
    });
    if (!alive || !rest(member)) return std::numeric_limits<double>::quiet_NaN();
    spent_[static_cast<std::size_t>(&member - members_.data())] += member.clock - begin;
    const std::vector<Step> steps = member.run->source().steps();
    if (before >= steps.size()) return std::numeric_limits<double>::quiet_NaN();
    const Throughput figure = throughput(steps, {before, steps.size()});
    return figure.seconds / figure.items;
  }

  /// Holds it. False where it has ended instead.
  bool rest(Member& member) {
    const double begin = member.clock;
    double asked = begin;
    member.run->begin_hold();
    const double grace = std::max(pause_grace, longest_steps * member.run->longest_step());
    return work(member, [&] {
      if (member.run->is_held()) return true;
      if (member.clock - begin > grace) {
        member.run->force_hold();
      } else if (member.clock - asked > ask_again_after) {
        asked = member.clock;
        member.run->ask_to_pause();
      }
      return member.run->is_held();
    });
  }

  void finish_all() {
    for (Member& member : members_) {
      if (member.ended) continue;
      member.run->look_again();
      member.run->look(member.clock);
      work(member, [] { return false; });
    }
    std::stable_sort(finished_.begin(), finished_.end(),
                     [](const auto& a, const auto& b) { return a.first < b.first; });
    for (auto& [number, record] : finished_) result_.records.push_back(std::move(record));
    if (result_.turns.blocks.empty()) result_.turns = {};
  }

  /// Lets one member work, and nobody else, until `enough` says so. False where it has ended; its
  /// record is made then.
  bool work(Member& member, const std::function<bool()>& enough) {
    double last = hooks_.now();
    while (member.run->wait(turn_beat)) {
      const double now = hooks_.now();
      member.clock += now - last;
      last = now;
      if (hooks_.interrupted && hooks_.interrupted()) give_up_all();
      member.run->look(member.clock);
      if (hooks_.working) hooks_.working(*member.task, member.run->view(member.clock));
      if (enough()) return true;
    }
    end(member);
    return false;
  }

  void end(Member& member) {
    member.ended = true;
    RunRecord record = member.run->finish(member.clock);
    member.run.reset();
    if (is_postponed(member, record)) {
      result_.postponed.push_back(member.number);
    } else {
      finished_.emplace_back(member.number, std::move(record));
    }
  }

  /// It may have found no memory because others hold theirs.
  bool is_postponed(const Member& member, const RunRecord& record) const {
    return record.failure == "out-of-memory" && result_.turns.blocks.empty() && living() > 0 &&
           &member != &members_.front();
  }

  std::size_t living() const {
    return static_cast<std::size_t>(std::count_if(
        members_.begin(), members_.end(), [](const Member& member) { return !member.ended; }));
  }

  /// All at once: held ones would otherwise wait for their turn to die.
  [[noreturn]] void give_up_all() {
    std::vector<Member*> left;
    for (Member& member : members_)
      if (!member.ended) left.push_back(&member);
    for (Member* member : left) member->run->give_up(member->clock);
    for (double last = hooks_.now(); !left.empty();) {
      std::erase_if(left, [](const Member* member) { return !member->run->wait(turn_beat); });
      const double passed = hooks_.now() - last;
      last += passed;
      for (Member* member : left) {
        member->clock += passed;
        member->run->look(member->clock);
      }
    }
    throw Interrupted();
  }

  const std::vector<RunTask>& tasks_;
  const Measuring& measuring_;
  TurnLimits limits_;
  const TurnHooks& hooks_;
  std::vector<Member> members_;
  std::vector<double> spent_;                                // seconds of turns, by member
  std::vector<std::pair<std::size_t, RunRecord>> finished_;  // with the numbers of their tasks
  TurnsResult result_;
};

}  // namespace

TurnsResult perform_in_turns(const std::vector<RunTask>& tasks, const Measuring& measuring,
                             const TurnHooks& hooks) {
  return TurnTaking(tasks, measuring, hooks).measure();
}

}  // namespace trainmark
