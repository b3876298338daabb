#include "measure/projection.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <random>

#include "base/error.h"

namespace trainmark {

namespace {

constexpr int most_draws = 200'000;
// No figure is known better than this: two jobs of one size do not differ by less.
constexpr double least_error = 0.01;
// Heavy tails: one figure that contradicts the others must not decide alone.
constexpr double degrees_of_freedom = 4;
constexpr double most_hidden = 0.6;  // the backward pass is two thirds of the compute time
constexpr double usual_jitter = 0.004;
constexpr double jitter_factor = 4;
constexpr double usual_contention = 0.003;  // for memory, power, the processors that feed the GPUs
constexpr double contention_factor = 20;

/// Twice the standard deviation of the logarithm is the factor that holds 95 %.
double log_normal(double middle, double factor, double deviate) {
  return middle * std::exp(0.5 * std::log(factor) * deviate);
}

/// What sending the same bytes to more nodes costs, in units of what two nodes cost.
double rounds_between(int nodes, double doubling) {
  if (nodes < 2) return 0;
  const double ring = 2 * (nodes - 1.0) / nodes;
  return ring + doubling * (std::log2(nodes) - ring);
}

double slowest_of(int ranks, double jitter) {
  return 1 + jitter * std::sqrt(2 * std::log(ranks));
}

/// The log of Student's t, up to a constant.
double log_likelihood(double deviation) {
  return -0.5 * (degrees_of_freedom + 1) * std::log1p(deviation * deviation / degrees_of_freedom);
}

struct Weighted {
  double value;
  double weight;
};

/// `share` of the weight lies below it.
double weighted_quantile(const std::vector<Weighted>& sorted, double share) {
  double below = 0;
  for (const Weighted& item : sorted) {
    below += item.weight;
    if (below >= share) return item.value;
  }
  return sorted.back().value;
}

void check(const ProjectionInput& input) {
  if (input.points.empty()) throw UserError("a projection needs a measured throughput");
  for (const ScalePoint& point : input.points) {
    if (!(point.throughput > 0))
      throw UserError(point.scale.text() + ": its throughput must be positive");
  }
}

}  // namespace

Projection::Projection(const ProjectionInput& input) : input_(input) {
  check(input);
  std::sort(input_.points.begin(), input_.points.end(), [](const auto& left, const auto& right) {
    return std::pair(left.scale.ranks(), left.scale) < std::pair(right.scale.ranks(), right.scale);
  });
  double best = -HUGE_VAL;
  std::mt19937_64 random(1);  // the same draws every time
  for (int number = 0; number < most_draws; ++number) {
    Draw draw = this->draw(random);
    draw.weight = weigh(draw);
    if (!std::isfinite(draw.weight)) continue;
    best = std::max(best, draw.weight);
    draws_.push_back(draw);
  }
  double sum = 0;
  for (Draw& draw : draws_) sum += draw.weight = std::exp(draw.weight - best);
  if (draws_.empty() || !(sum > 0))
    throw UserError(
        "the measured throughputs do not fit a model of compute plus communication; are they "
        "of one job?");
  for (Draw& draw : draws_) draw.weight /= sum;
  std::erase_if(draws_, [](const Draw& draw) { return draw.weight < 1e-12; });
  const double squares = std::accumulate(
      draws_.begin(), draws_.end(), 0.0,
      [](double total, const Draw& draw) { return total + draw.weight * draw.weight; });
  plausible_share_ = 1 / squares / most_draws;
}

Projection::Draw Projection::draw(std::mt19937_64& random) const {
  std::normal_distribution<double> normal;
  std::uniform_real_distribution<double> uniform;
  Draw draw{};
  draw.contention = log_normal(usual_contention, contention_factor, normal(random));
  draw.jitter = log_normal(usual_jitter, jitter_factor, normal(random));
  draw.hidden = most_hidden * uniform(random);
  draw.inside = log_normal(input_.inside.bytes_per_second, input_.inside.factor, normal(random));
  draw.between = log_normal(input_.between.bytes_per_second, input_.between.factor, normal(random));
  draw.doubling = uniform(random);
  // The smallest job says what the compute time is, as well as it is known itself.
  const ScalePoint& smallest = input_.points.front();
  const double error = std::max(smallest.relative_error, least_error);
  const double seconds = input_.items_per_rank * smallest.scale.ranks() / smallest.throughput *
                         std::exp(error * normal(random));
  draw.compute = 1;
  // The step time grows with the compute time, so that halving the gap finds it.
  double low = 0;
  double high = seconds;
  for (int i = 0; i < 40; ++i) {
    draw.compute = (low + high) / 2;
    (step(draw, smallest.scale, {}).seconds() > seconds ? high : low) = draw.compute;
  }
  return draw;
}

/// The logarithm of how well a draw explains the points behind the smallest.
double Projection::weigh(const Draw& draw) const {
  if (!(draw.compute > 0)) return -HUGE_VAL;
  double sum = 0;
  for (std::size_t i = 1; i < input_.points.size(); ++i) {
    const ScalePoint& point = input_.points[i];
    const double seconds = input_.items_per_rank * point.scale.ranks() / point.throughput;
    const double error = std::max(point.relative_error, least_error);
    sum += log_likelihood(std::log(step(draw, point.scale, {}).seconds() / seconds) / error);
  }
  return sum;
}

Projection::Parts Projection::step(const Draw& draw, Scale scale, const WhatIf& change) const {
  const double compute = draw.compute * change.compute;
  const double bytes = input_.gradient_bytes * change.bytes;
  const double inside =
      bytes / change.inside.value_or(draw.inside) * 2 * (scale.per_node - 1) / scale.per_node;
  const double between =
      bytes / change.between.value_or(draw.between) * rounds_between(scale.nodes, draw.doubling);
  const double sent = inside + between;
  const double last_bucket = std::min(1.0, bytes > 0 ? input_.bucket_bytes / bytes : 1);
  const double crowded = 1 + draw.contention * std::log2(scale.per_node);
  return {compute * crowded * slowest_of(scale.ranks(), draw.jitter),
          std::max(sent - draw.hidden * compute, last_bucket * sent)};
}

ProjectedScale Projection::at(Scale scale, const WhatIf& change) const {
  const double items = input_.items_per_rank * change.items;
  std::vector<Weighted> rates;
  std::vector<Weighted> speedups;
  double compute = 0;
  double exposed = 0;
  for (const Draw& draw : draws_) {
    const Parts parts = step(draw, scale, change);
    const double rate = items * scale.ranks() / parts.seconds();
    rates.push_back({rate, draw.weight});
    speedups.push_back({rate / (items / step(draw, {1, 1}, change).seconds()), draw.weight});
    compute += draw.weight * parts.compute;
    exposed += draw.weight * parts.exposed;
  }
  const auto smaller = [](const Weighted& left, const Weighted& right) {
    return left.value < right.value;
  };
  std::sort(rates.begin(), rates.end(), smaller);
  std::sort(speedups.begin(), speedups.end(), smaller);
  ProjectedScale result;
  result.scale = scale;
  result.throughput = weighted_quantile(rates, 0.5);
  result.interval = {weighted_quantile(rates, 0.025), weighted_quantile(rates, 0.975)};
  result.speedup = weighted_quantile(speedups, 0.5);
  result.efficiency = result.speedup / scale.ranks();
  result.step_seconds = items * scale.ranks() / result.throughput;
  result.compute_seconds = compute;
  result.exposed_seconds = exposed;
  return result;
}

}  // namespace trainmark
