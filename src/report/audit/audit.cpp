#include "report/audit/audit.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <fstream>
#include <tuple>

#include "base/error.h"

namespace trainmark {

namespace fs = std::filesystem;

namespace {

// Of a few hundred logs, one may meet a figure by chance: those further away must come nearer.
constexpr double neighbour_fits = 0.005;
constexpr double other_file_fits = 0.002;
constexpr std::size_t most_neighbours = 400;

Grade grade_of(double off) {
  const double distance = std::abs(off);
  if (!std::isfinite(distance)) return Grade::missing;
  if (distance <= 0.01) return Grade::within_1;
  if (distance <= 0.03) return Grade::within_3;
  return distance <= 0.1 ? Grade::within_10 : Grade::off;
}

ExtractOptions options_of(const Claim& claim, bool use_rule) {
  ExtractOptions options;
  options.given.gpus = claim.gpus;
  options.given.nodes = claim.nodes;
  options.given.batch = claim.batch;
  options.given.precision = claim.precision;
  if (use_rule) options.rule = claim.rule;
  for (const char* what : {"gpus", "nodes", "batch", "precision"})
    options.given.sources[what] = "the table";
  return options;
}

std::uintmax_t size_of(const fs::path& path) {
  std::error_code error;
  const std::uintmax_t size = fs::file_size(path, error);
  return error ? 0 : size;
}

/// Of files of the same size.
bool same_bytes(const fs::path& one, const fs::path& other) {
  std::ifstream first(one, std::ios::binary);
  std::ifstream second(other, std::ios::binary);
  std::array<char, 65536> left{};
  std::array<char, 65536> right{};
  while (first && second) {
    first.read(left.data(), left.size());
    second.read(right.data(), right.size());
    if (first.gcount() != second.gcount() ||
        !std::equal(left.begin(), left.begin() + first.gcount(), right.begin()))
      return false;
  }
  return !first && !second;
}

class Auditor {
 public:
  Auditor(const Claims& claims, const AuditOptions& options) : claims_(claims), options_(options) {
    for (const Claim& claim : claims.all)
      if (claimed_.emplace(claim.path, &claim).second)
        by_size_[size_of(claim.path)].push_back(&claim);
  }

  Audit run() {
    Audit audit;
    audit.without_figure = claims_.without_figure;
    for (std::size_t i = 0; i < claims_.all.size(); ++i) {
      if (options_.observe) options_.observe(i, claims_.all.size());
      const Claim& claim = claims_.all[i];
      audit.by_rules = audit.by_rules || (options_.use_rules && !claim.rule.empty());
      audit.claims.push_back(audited(claim));
    }
    if (options_.observe) options_.observe(claims_.all.size(), claims_.all.size());
    return audit;
  }

 private:
  using Key =
      std::tuple<fs::path, std::optional<int>, std::optional<int>, std::optional<int>, std::string>;

  /// Read once for all who ask for it.
  const LogReadings& readings_of(const fs::path& path, const Claim& claim) {
    const ExtractOptions options = options_of(claim, options_.use_rules);
    const Key key{path, claim.gpus, claim.nodes, claim.batch, options.rule};
    const auto known = readings_.find(key);
    if (known != readings_.end()) return known->second;
    return readings_.emplace(key, read_every_way(path, options)).first->second;
  }

  AuditedClaim audited(const Claim& claim) {
    AuditedClaim result;
    result.claim = claim;
    try {
      const LogReadings& readings = readings_of(claim.path, claim);
      result.figure = readings.figure;
      if (!(result.figure.throughput > 0)) {
        result.trouble = result.figure.verdicts.empty() ? "the log prints no rate"
                                                        : result.figure.verdicts.front().message;
        return result;
      }
      result.off = result.figure.throughput / claim.published - 1;
      result.grade = grade_of(result.off);
      if (result.grade != Grade::within_1) result.explanation = explained(claim, readings, result);
    } catch (const UserError& error) {
      result.trouble = error.what();
    }
    return result;
  }

  std::optional<Explanation> explained(const Claim& claim, const LogReadings& readings,
                                       const AuditedClaim& result) {
    const bool far = result.grade == Grade::within_10 || result.grade == Grade::off;
    if (far)
      if (auto copy = copied(claim)) return copy;
    if (auto reading = explain_by_readings(readings, claim.published)) return reading;
    if (!far) return std::nullopt;
    if (auto other = other_file(claim)) return other;
    if (auto waiting = waits_for_input(claim, readings)) return waiting;
    const bool outside =
        claim.published > 1.005 * readings.most || claim.published < 0.995 * readings.least;
    return Explanation{
        outside ? Explanation::Reason::outside : Explanation::Reason::unknown, not_known,
        outside ? fmt::format("{:.6g} … {:.6g}", readings.least, readings.most) : ""};
  }

  /// Two names for one log: it cannot be that of both.
  std::optional<Explanation> copied(const Claim& claim) const {
    const auto found = by_size_.find(size_of(claim.path));
    if (found == by_size_.end()) return std::nullopt;
    for (const Claim* other : found->second)
      if (other->path != claim.path && same_bytes(other->path, claim.path))
        return Explanation{Explanation::Reason::copy, not_known, other->log};
    return std::nullopt;
  }

  using Neighbour = std::pair<fs::path, const Claim*>;  // a log, and who describes it

  /// The logs beside it: those of the table, and others that nobody claims.
  std::vector<Neighbour> neighbours(const Claim& claim) {
    const fs::path folder = claim.path.parent_path();
    std::vector<Neighbour> result;
    auto listed = listed_.find(folder);
    if (listed == listed_.end()) listed = listed_.emplace(folder, find_logs(folder).logs).first;
    for (const fs::path& path : listed->second) {
      if (path == claim.path || path.parent_path() != folder) continue;
      const auto found = claimed_.find(path);
      result.emplace_back(path, found == claimed_.end() ? &claim : found->second);
      if (result.size() >= most_neighbours) break;
    }
    return result;
  }

  /// The logs of the table that lie elsewhere and count the same.
  std::vector<Neighbour> others_of_table(const Claim& claim) const {
    std::vector<Neighbour> result;
    for (const auto& [path, other] : claimed_) {
      if (path.parent_path() == claim.path.parent_path() || other->unit != claim.unit) continue;
      result.emplace_back(path, other);
      if (result.size() >= most_neighbours) break;
    }
    return result;
  }

  /// Of these logs and their runs, the one nearest to the published figure.
  std::optional<Explanation> nearest_of(const std::vector<Neighbour>& logs, const Claim& claim,
                                        double fits) {
    std::optional<Explanation> best;
    const auto consider = [&](const Neighbour& log, double value, const std::string& which) {
      const double distance = std::abs(value / claim.published - 1);
      if (!(distance <= fits)) return;
      if (best && std::abs(best->value / claim.published - 1) <= distance) return;
      const bool claimed = log.second != &claim;
      best = Explanation{Explanation::Reason::wrong_file, value,
                         (claimed ? log.second->log : log.first.filename().string()) + which};
    };
    for (const Neighbour& log : logs) {
      try {
        const LogReadings& readings = readings_of(log.first, *log.second);
        consider(log, readings.figure.throughput, "");
        for (std::size_t run = 0; run < readings.runs.size() && readings.runs.size() > 1; ++run)
          consider(log, readings.runs[run], fmt::format(" (run {})", run + 1));
      } catch (const UserError&) {
        // What cannot be read explains nothing.
      }
    }
    return best;
  }

  std::optional<Explanation> other_file(const Claim& claim) {
    if (auto near = nearest_of(neighbours(claim), claim, neighbour_fits)) return near;
    if (auto other = nearest_of(others_of_table(claim), claim, other_file_fits)) return other;
    return published_twice(claim);
  }

  /// A figure that stands in two rows was copied into one of them.
  std::optional<Explanation> published_twice(const Claim& claim) const {
    for (const Claim& other : claims_.all)
      if (other.published == claim.published && other.unit == claim.unit &&
          other.path != claim.path)
        return Explanation{Explanation::Reason::wrong_file, other.published,
                           other.log + " (as published)"};
    return std::nullopt;
  }

  /// Faster than the log, and slower than it would be if batches were there at once.
  static std::optional<Explanation> waits_for_input(const Claim& claim,
                                                    const LogReadings& readings) {
    for (const LogReading& reading : readings.others)
      if (reading.kind == LogReading::Kind::input && reading.value > claim.published &&
          claim.published > readings.figure.throughput)
        return Explanation{Explanation::Reason::input, not_known, reading.how};
    return std::nullopt;
  }

  const Claims& claims_;
  const AuditOptions& options_;
  std::map<fs::path, const Claim*> claimed_;
  std::map<std::uintmax_t, std::vector<const Claim*>> by_size_;
  std::map<Key, LogReadings> readings_;
  std::map<fs::path, std::vector<fs::path>> listed_;
};

}  // namespace

const char* text(Grade grade) {
  switch (grade) {
    case Grade::within_1:
      return "within-1";
    case Grade::within_3:
      return "within-3";
    case Grade::within_10:
      return "within-10";
    case Grade::off:
      return "off";
    case Grade::missing:
      return "missing";
  }
  return "";
}

std::size_t Audit::count(Grade grade) const {
  return static_cast<std::size_t>(
      std::count_if(claims.begin(), claims.end(),
                    [&](const AuditedClaim& claim) { return claim.grade == grade; }));
}

Audit audit_claims(const Claims& claims, const AuditOptions& options) {
  return Auditor(claims, options).run();
}

}  // namespace trainmark
