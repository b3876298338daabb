#include <algorithm>
#include <cmath>

#include "report/audit/audit.h"

namespace trainmark {

namespace {

// A reading explains a figure that it meets within one percent, and four times as near as the plain
// recomputation: of so many readings some come near by chance.
constexpr double explains = 0.01;
constexpr double times_nearer = 4;

Explanation::Reason reason_of(LogReading::Kind kind) {
  switch (kind) {
    case LogReading::Kind::facts:
      return Explanation::Reason::facts;
    case LogReading::Kind::ranks:
      return Explanation::Reason::ranks;
    case LogReading::Kind::units:
      return Explanation::Reason::units;
    case LogReading::Kind::warm_up:
      return Explanation::Reason::warm_up;
    case LogReading::Kind::rule:
      return Explanation::Reason::rule;
    case LogReading::Kind::run:
      return Explanation::Reason::run;
    case LogReading::Kind::input:
      return Explanation::Reason::input;
  }
  return Explanation::Reason::unknown;
}

}  // namespace

const char* text(Explanation::Reason reason) {
  switch (reason) {
    case Explanation::Reason::facts:
      return "facts";
    case Explanation::Reason::ranks:
      return "ranks";
    case Explanation::Reason::units:
      return "units";
    case Explanation::Reason::warm_up:
      return "warm-up";
    case Explanation::Reason::rule:
      return "rule";
    case Explanation::Reason::run:
      return "run";
    case Explanation::Reason::input:
      return "input";
    case Explanation::Reason::wrong_file:
      return "wrong-file";
    case Explanation::Reason::copy:
      return "copy";
    case Explanation::Reason::outside:
      return "outside";
    case Explanation::Reason::unknown:
      return "unknown";
  }
  return "";
}

std::optional<Explanation> explain_by_readings(const LogReadings& readings, double published) {
  const auto distance = [&](double value) { return std::abs(value / published - 1); };
  const double limit = std::min(explains, distance(readings.figure.throughput) / times_nearer);
  const LogReading* best = nullptr;
  for (const LogReading& reading : readings.others) {
    if (!(distance(reading.value) <= limit)) continue;
    // Readings stand in the order of their likelihood; of one kind the nearest counts.
    const bool alike =
        best != nullptr && best->kind == reading.kind && best->twofold == reading.twofold;
    if (best == nullptr || (alike && distance(reading.value) < distance(best->value)))
      best = &reading;
  }
  if (best == nullptr) return std::nullopt;
  return Explanation{reason_of(best->kind), best->value, best->how};
}

}  // namespace trainmark
