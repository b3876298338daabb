#include "environ/conditions/process_times.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <utility>

namespace trainmark {

namespace {

// Fields after the name, counted from the state, which is the first.
constexpr std::size_t parent_field = 1, user_field = 11, system_field = 12, reaped_user_field = 13,
                      reaped_system_field = 14, start_field = 19;
constexpr long long rounding = 3;  // ticks: every figure of /proc is cut down to whole ones

}  // namespace

std::optional<ProcessStat> parse_process_stat(std::string_view text) {
  const auto name_end = text.rfind(')');
  if (name_end == std::string_view::npos) return std::nullopt;
  text.remove_prefix(name_end + 1);
  std::array<long long, start_field + 1> fields = {};
  for (std::size_t field = 0; field < fields.size(); ++field) {
    const auto begin = text.find_first_not_of(' ');
    if (begin == std::string_view::npos) return std::nullopt;
    text.remove_prefix(begin);
    const auto end = std::min(text.find(' '), text.size());
    if (field != 0) {  // the state is a letter
      const auto [stop, error] = std::from_chars(text.data(), text.data() + end, fields[field]);
      if (error != std::errc() || stop != text.data() + end) return std::nullopt;
    }
    text.remove_prefix(end);
  }
  const auto time = [&](std::size_t field) { return std::clamp(fields[field], 0LL, 1LL << 50); };
  ProcessStat stat;
  stat.parent = static_cast<pid_t>(fields[parent_field]);
  stat.own = time(user_field) + time(system_field);
  stat.reaped = time(reaped_user_field) + time(reaped_system_field);
  stat.start = fields[start_field];
  return stat;
}

ProcessTimes::ProcessTimes(SystemFiles files, std::vector<pid_t> roots)
    : files_(std::move(files)), roots_(std::move(roots)), pace_(files_.is_this_machine()) {}

std::optional<ProcessStat> ProcessTimes::read(pid_t process) const {
  const auto text = files_.text(fmt::format("/proc/{}/stat", process), 4096);
  return text ? parse_process_stat(*text) : std::nullopt;
}

void ProcessTimes::sample() {
  const std::map<pid_t, ProcessStat> before = std::exchange(living_, {});
  for (const auto& [process, old] : before) {
    const auto now = read(process);
    if (now && now->start == old.start) living_[process] = *now;
  }
  for (const pid_t root : roots_) {
    if (living_.count(root) != 0) continue;
    const auto now = read(root);
    // A number that was given away again is not the process we were told of.
    if (now && (!begun_ || before.count(root) == 0)) living_[root] = *now;
  }
  if (pace_.due()) pace_.observe([&] { find_descendants(); });
  settle_ended(before);

  last_ = lost_;
  for (const auto& [process, stat] : living_) last_ += stat.total();
  if (!std::exchange(begun_, true)) first_ = last_;
}

void ProcessTimes::find_descendants() {
  std::map<pid_t, ProcessStat> fresh;
  std::set<pid_t> present;
  for (const pid_t process : files_.numbered_names("/proc")) {
    present.insert(process);
    if (living_.count(process) != 0 || strangers_.count(process) != 0) continue;
    if (const auto stat = read(process)) fresh[process] = *stat;
  }
  for (bool found = true; found;) {
    found = false;
    for (auto entry = fresh.begin(); entry != fresh.end();) {
      const bool ours = living_.count(entry->second.parent) != 0;
      if (ours) living_.insert(*entry);
      found = found || ours;
      entry = ours ? fresh.erase(entry) : std::next(entry);
    }
  }
  // Only those that are still there: a number that is free now may be a child's next time.
  std::erase_if(strangers_, [&](pid_t process) { return present.count(process) == 0; });
  for (const auto& [process, stat] : fresh) strangers_.insert(process);
}

void ProcessTimes::settle_ended(const std::map<pid_t, ProcessStat>& before) {
  std::map<pid_t, long long> collected;  // by whom, and not yet matched with an ended child
  for (const auto& [process, old] : before) {
    const auto now = living_.find(process);
    if (now != living_.end()) collected[process] = now->second.reaped - old.reaped + rounding;
  }
  for (const auto& [process, old] : before) {
    if (living_.count(process) != 0) continue;
    // Whoever is left of those above would have it, by way of those between.
    pid_t heir = old.parent;
    for (std::size_t steps = 0; steps < before.size() && living_.count(heir) == 0; ++steps) {
      const auto next = before.find(heir);
      if (next == before.end()) break;
      heir = next->second.parent;
    }
    const auto purse = collected.find(heir);
    if (purse != collected.end() && purse->second >= old.total()) {
      purse->second -= old.total();
    } else {
      lost_ += old.total();
    }
  }
}

}  // namespace trainmark
