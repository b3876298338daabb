#include "bench/proof_tensors.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "base/error.h"
#include "base/safetensors.h"
#include "base/text.h"
#include "measure/statistics.h"

namespace trainmark {

namespace {

// Adam divides a gradient by its size: rounding decides where so small a one moves its weight.
constexpr double too_small_to_steer = 1e-2;  // of its tensor's mean size

// Weights that a norm makes free of scale move across themselves, and without a decay hardly along.
constexpr double no_growth = 1e-4;  // of how far they move at all

double length(const std::vector<float>& numbers) {
  double sum = 0;
  for (const double number : numbers) sum += number * number;
  return std::sqrt(sum);
}

double product(const std::vector<float>& one, const std::vector<float>& other) {
  double sum = 0;
  for (std::size_t i = 0; i < one.size(); ++i) sum += static_cast<double>(one[i]) * other[i];
  return sum;
}

double distance(const std::vector<float>& one, const std::vector<float>& other) {
  double sum = 0;
  for (std::size_t i = 0; i < one.size(); ++i) {
    const double difference = static_cast<double>(one[i]) - other[i];
    sum += difference * difference;
  }
  return std::sqrt(sum);
}

void check_same_tensors(const SafetensorsFile& reference, const SafetensorsFile& other,
                        const char* what) {
  for (const auto& [name, tensor] : reference.tensors()) {
    const auto found = other.tensors().find(name);
    if (found == other.tensors().end()) {
      throw UserError(fmt::format("it saved no {} '{}'", what, printable(name)));
    }
    if (found->second.shape != tensor.shape) {
      throw UserError(
          fmt::format("its {} '{}' differs in shape from the reference", what, printable(name)));
    }
  }
  for (const auto& [name, tensor] : other.tensors()) {
    if (!reference.tensors().contains(name)) {
      throw UserError(fmt::format("it saved a {} '{}', which the reference does not have", what,
                                  printable(name)));
    }
  }
}

/// Differences of tensors, each to be divided by its size, or by what is thought of as nothing.
class Collected {
 public:
  void add(const std::string& name, double difference, double size) {
    tensors_.push_back({name, difference, size});
  }

  Difference summary(double rounding) const {
    double longest = 0;
    for (const auto& tensor : tensors_) longest = std::max(longest, tensor.size);
    Difference result;
    std::vector<double> shares;
    for (const auto& tensor : tensors_) {
      const double least = std::max(rounding * longest, 1e-300);
      const double share = tensor.difference / std::max(tensor.size, least);
      if (!std::isfinite(share)) {
        throw UserError(fmt::format("'{}' contains NaN or infinity", printable(tensor.name)));
      }
      shares.push_back(share);
      if (share >= result.largest) {
        result.largest = share;
        result.where = tensor.name;
      }
    }
    if (shares.empty()) throw UserError("it saved no gradients");
    const auto middle = shares.begin() + static_cast<std::ptrdiff_t>(shares.size() / 2);
    std::nth_element(shares.begin(), middle, shares.end());
    result.typical = *middle;
    return result;
  }

 private:
  struct Tensor {
    std::string name;
    double difference;
    double size;
  };
  std::vector<Tensor> tensors_;
};

/// How the weights of one tensor were moved by two trainers.
struct Moves {
  double difference = 0;         // squared
  double size = 0;               // of the reference's move, squared
  double growth = 0;             // the reference's move along the weights themselves
  double growth_difference = 0;  // of the other's from it
  double whole_move = 0;         // of all elements, squared
  double along = 0;              // the other's move along the reference's, of all elements
  double weights = 0;            // squared
};

/// `gradients` tell which elements are compared: those that are steered by their gradient, or have
/// none at all.
Moves moves_of(const std::vector<float>& weights, const std::vector<float>& trained,
               const std::vector<float>& other_trained, const std::vector<float>& gradients,
               const std::vector<float>& other_gradients) {
  const double mean_size =
      length(gradients) /
      std::sqrt(static_cast<double>(std::max<std::size_t>(1, gradients.size())));
  Moves moves;
  for (std::size_t i = 0; i < weights.size(); ++i) {
    const double move = static_cast<double>(trained[i]) - weights[i];
    const double difference = static_cast<double>(other_trained[i]) - trained[i];
    moves.growth += move * weights[i];
    moves.growth_difference += difference * weights[i];
    moves.whole_move += move * move;
    moves.along += (move + difference) * move;
    moves.weights += static_cast<double>(weights[i]) * weights[i];
    const bool steered = std::abs(gradients[i]) >= too_small_to_steer * mean_size;
    if (!steered && (gradients[i] != 0 || other_gradients[i] != 0)) continue;
    moves.size += move * move;
    moves.difference += difference * difference;
  }
  return moves;
}

}  // namespace

TensorDifferences compare_tensors(const std::string& weights, const ProofFiles& reference,
                                  const ProofFiles& other, double rounding) {
  SafetensorsFile first(weights);
  SafetensorsFile gradients(reference.gradients);
  SafetensorsFile trained(reference.trained);
  SafetensorsFile other_gradients(other.gradients);
  SafetensorsFile other_trained(other.trained);
  check_same_tensors(gradients, other_gradients, "gradient");
  check_same_tensors(first, other_trained, "trained weight");

  std::map<std::string, double> lengths;
  double gradients_along = 0, gradients_squared = 0;
  Collected gradient_differences;
  for (const auto& [name, tensor] : gradients.tensors()) {
    const std::vector<float> numbers = gradients.floats(name);
    const std::vector<float> others = other_gradients.floats(name);
    lengths[name] = length(numbers);
    gradients_along += product(numbers, others);
    gradients_squared += lengths[name] * lengths[name];
    gradient_differences.add(name, distance(numbers, others), lengths[name]);
  }
  const double longest =
      std::accumulate(lengths.begin(), lengths.end(), 0.0,
                      [](double most, const auto& item) { return std::max(most, item.second); });

  TensorDifferences result;
  Collected update_differences;
  Moves all;
  for (const auto& [name, size] : lengths) {
    if (size <= rounding * longest) continue;
    const Moves moves =
        moves_of(first.floats(name), trained.floats(name), other_trained.floats(name),
                 gradients.floats(name), other_gradients.floats(name));
    update_differences.add(name, std::sqrt(moves.difference), std::sqrt(moves.size));
    all.growth += moves.growth;
    all.growth_difference += moves.growth_difference;
    all.whole_move += moves.whole_move;
    all.along += moves.along;
    all.weights += moves.weights;
  }
  result.gradients = gradient_differences.summary(rounding);
  result.updates = update_differences.summary(rounding);
  const double least = no_growth * std::sqrt(all.whole_move * all.weights);
  result.growth = std::abs(all.growth_difference) / std::max({std::abs(all.growth), least, 1e-300});
  const auto longer = [](double along, double squared) {
    return squared > 0 ? along / squared - 1 : 0;
  };
  result.lengths =
      Lengths{longer(gradients_along, gradients_squared), longer(all.along, all.whole_move)};
  return result;
}

double typical_length(const std::string& reference, const std::string& other) {
  SafetensorsFile expected(reference);
  SafetensorsFile found(other);
  std::vector<double> ratios;
  for (const auto& [name, tensor] : expected.tensors()) {
    if (tensor.shape.size() < 2 || !found.tensors().contains(name)) continue;
    const double usual = length(expected.floats(name));
    if (usual > 0) ratios.push_back(length(found.floats(name)) / usual);
  }
  if (ratios.empty()) throw UserError("it saved no gradients");
  const double ratio = median(ratios);
  if (!std::isfinite(ratio))
    throw UserError(fmt::format("'{}' contains NaN or infinity", "gradients"));
  return ratio;
}

}  // namespace trainmark
