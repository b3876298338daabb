#pragma once

#include <CLI/App.hpp>
#include <cstdint>

#include "common/events.h"

namespace trainmark::clock {

inline constexpr std::int64_t never = -1;

/// What can go wrong with a trainer, on request. `..._after` N: when step N (from 0) has been told.
struct Faults {
  std::int64_t hang_after = never;
  std::int64_t crash_after = never;
  std::int64_t exit_after = never;
  int exit_code = 3;
  std::int64_t nan_after = never;
  std::int64_t oom_after = never;
  std::int64_t oom_batch = 0;   // oom_after shows with larger batches only
  std::int64_t most_batch = 0;  // larger ones do not fit the memory; 0: all do
  std::int64_t most_classes = 0;
  std::int64_t torn_after = never;
  std::int64_t huge_event_bytes = 0;
  bool garbage = false;
  bool no_events = false;
  bool spawn_orphan = false;
  int missed_stops = 0;
  std::int64_t rank = never;  // that shows them; never: all do
};

void add_fault_options(CLI::App& app, Faults& faults);

/// Faults that show once the start was told.
void show_at_start(const Faults& faults, train::EventWriter& events);

/// Faults that show when `step` has been told. Some of them do not return.
void show_after(std::int64_t step, std::int64_t batch, const Faults& faults,
                train::EventWriter& events);

}  // namespace trainmark::clock
