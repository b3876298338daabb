#pragma once

#include <optional>
#include <random>
#include <vector>

#include "base/cell.h"
#include "measure/statistics.h"

namespace trainmark {

/// A throughput that was measured at some scale.
struct ScalePoint {
  Scale scale;
  double throughput = 0;      // items per second, of the whole job
  double relative_error = 0;  // standard error ÷ throughput
};

/// A link speed in bytes per second, and how sure it is: 95 % lie between speed ÷ factor and
/// speed × factor.
struct LinkSpeed {
  double bytes_per_second = 0;
  double factor = 1;
};

/// What a projection starts from.
struct ProjectionInput {
  std::vector<ScalePoint> points;
  double items_per_rank = 0;       // of one step
  double gradient_bytes = 0;       // that one rank sends in a step
  LinkSpeed inside;                // a node: one rank's share in an all-reduce
  LinkSpeed between;               // nodes: one node's
  double bucket_bytes = 25 << 20;  // sent at once; the last one cannot be hidden
};

/// What is changed against the measured job.
struct WhatIf {
  double compute = 1;             // times the compute time: another batch or precision
  double items = 1;               // times the items of a step
  double bytes = 1;               // times the gradient bytes
  std::optional<double> inside;   // bytes per second
  std::optional<double> between;  // bytes per second
};

struct ProjectedScale {
  Scale scale;
  double throughput = 0;  // the median of what is plausible
  Interval interval;      // 95 % of it
  double speedup = 0;     // against one rank of the same job
  double efficiency = 0;  // speed-up ÷ ranks
  double step_seconds = 0;
  double compute_seconds = 0;  // of a step, waiting for the slowest rank included
  double exposed_seconds = 0;  // in which communication is all that happens
};

/// How a job's step time grows with its scale (docs/projecting.md):
///
///   step    = compute × (1 + contention × log2 g) × (1 + jitter × √(2 ln ranks)) + exposed
///   exposed = max(sent − hidden × compute, the last bucket's share of sent)
///   sent    = bytes ÷ inside × 2 (g − 1) ÷ g + bytes ÷ between × rounds(nodes)
///
/// with g ranks in a node. What is not known (contention, jitter, hidden, both speeds, how `rounds`
/// grows) is drawn from a wide range, and every draw weighs as much as the measured points say. Few
/// points leave wide intervals.
class Projection {
 public:
  /// UserError where the points are too few or contradict every draw.
  explicit Projection(const ProjectionInput& input);

  ProjectedScale at(Scale scale, const WhatIf& change = {}) const;

  /// The share of draws that count: under a hundredth of a percent the points hardly fit the model.
  double plausible_share() const { return plausible_share_; }

 private:
  struct Draw {
    double compute;     // seconds
    double contention;  // what each doubling of the ranks in a node costs all of them
    double jitter;      // relative standard deviation of the ranks' step times
    double hidden;      // share of the compute time that sending can hide behind
    double inside;      // bytes per second
    double between;     // bytes per second
    double doubling;    // 0: sending between nodes costs what a ring costs; 1: each doubling costs
                        // the same
    double weight;
  };
  struct Parts {
    double compute = 0;
    double exposed = 0;
    double seconds() const { return compute + exposed; }
  };

  Draw draw(std::mt19937_64& random) const;
  double weigh(const Draw& draw) const;
  Parts step(const Draw& draw, Scale scale, const WhatIf& change) const;

  ProjectionInput input_;
  std::vector<Draw> draws_;
  double plausible_share_ = 0;
};

}  // namespace trainmark
