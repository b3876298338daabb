#include "journal/proof.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <set>
#include <tuple>

#include "base/version.h"
#include "journal/journal.h"

namespace trainmark {

namespace {

constexpr double vanished = 1e-3;  // of the first loss

constexpr std::size_t most_left_out = 3;  // steps: a scale of 65536 ÷ 8 overflows nowhere
constexpr double unchanged = 0.1;         // of the first step of the reference
constexpr double noticeable_step = 1e-4;  // of the first loss; programs that repeat themselves
                                          // differ by a tenth of that

class Judge {
 public:
  Judge(Proof& proof, double scale) : proof_(proof), scale_(scale) {}

  void check(double difference, double limit, const std::string& what, const char* part) {
    if (difference <= limit * scale_) return;
    proof_.differs.push_back(fmt::format("{} by {:.1e} (at most {:.0e}): the {}", what, difference,
                                         limit * scale_, part));
  }

  /// Chance is no rounding: its limits do not grow with the tolerance.
  void check(const DropoutDifference& dropout, const ProofLimits& limits, double losses) {
    const double most = limits.dropout_errors * dropout.mean_error + losses * scale_;
    if (std::abs(dropout.mean) > most) {
      proof_.differs.push_back(
          fmt::format("the mean loss with dropout {:g} by {:.1e} (at most {:.0e}): the dropout",
                      dropout.rate, std::abs(dropout.mean), most));
    }
    check_factor("the scatter of the losses", dropout.scatter,
                 std::exp(limits.dropout_errors * dropout.scatter_error), dropout.rate);
    check_factor("the length of the gradients", dropout.gradients, limits.dropout_length,
                 dropout.rate);
  }

  /// The largest one says where to look, also where it is the typical one that is too large.
  void check(const Difference& difference, double typical, double largest, const char* what,
             const char* part) {
    if (difference.largest > largest * scale_) {
      check(difference.largest, largest, fmt::format("the {} of {}", what, difference.where), part);
    } else {
      check(difference.typical, typical, fmt::format("the {}s, typically,", what), part);
    }
  }

 private:
  void check_factor(const char* what, double factor, double most, double rate) {
    if (factor >= 1 / most && factor <= most) return;
    proof_.differs.push_back(
        fmt::format("{} with dropout {:g} by a factor of {:.2g} (at most {:.2g} either way): the "
                    "dropout",
                    what, rate, factor, most));
  }

  Proof& proof_;
  double scale_;
};

}  // namespace

void compare_losses(Proof& proof, const std::vector<double>& reference,
                    const std::vector<double>& losses) {
  proof.steps = static_cast<int>(losses.size());
  if (reference.empty() || reference.size() != losses.size()) {
    proof.trouble =
        fmt::format("it reported {} losses, the reference {}", losses.size(), reference.size());
    return;
  }
  const auto finite = [](double loss) { return std::isfinite(loss); };
  if (!std::all_of(reference.begin(), reference.end(), finite) ||
      !std::all_of(losses.begin(), losses.end(), finite)) {
    proof.trouble = "a loss is not a number";
    return;
  }
  const double floor = vanished * std::abs(reference.front());
  for (std::size_t i = 0; i < losses.size(); ++i) {
    const double scale = std::max({std::abs(reference[i]), floor, 1e-300});
    const double difference = std::abs(losses[i] - reference[i]) / scale;
    if (i == 0) proof.first_difference = difference;
    proof.largest_difference = std::max(proof.largest_difference, difference);
  }
}

int steps_left_out(const std::vector<double>& reference, const std::vector<double>& losses) {
  if (reference.size() < 2 || losses.empty()) return 0;
  const double step = std::abs(reference[1] - reference[0]);
  if (!(step >= noticeable_step * std::abs(reference[0]))) return 0;
  std::size_t same = 0;
  while (same + 1 < losses.size() && std::abs(losses[same + 1] - losses[0]) <= unchanged * step)
    ++same;
  return same <= most_left_out ? static_cast<int>(same) : 0;
}

ProofLimits few_bit_limits(double unit) {
  ProofLimits limits;
  limits.first_loss = unit;
  limits.losses = std::max(limits.losses, unit);
  return limits;
}

ProofLimits reference_limits(double unit) {
  constexpr double anything = std::numeric_limits<double>::infinity();
  ProofLimits limits;
  limits.first_loss = 4 * unit;
  limits.losses = 16 * unit;
  limits.typical_gradient = limits.largest_gradient = anything;
  limits.typical_update = limits.largest_update = anything;
  limits.length = 0.15;
  return limits;
}

void judge(Proof& proof, const ProofLimits& limits) {
  proof.differs.clear();
  if (!proof.trouble.empty()) return;
  Judge judge(proof, proof.tolerance / ProofLimits().losses);
  // Some trainings are chaotic: rounding alone takes them elsewhere, and proves nothing.
  const Rounding rounding = proof.rounding.value_or(Rounding());
  const auto at_least = [&](double limit, double strayed) {
    return std::max(limit, limits.times_rounding * strayed);
  };
  judge.check(proof.first_difference, at_least(limits.first_loss, rounding.first_loss.value_or(0)),
              "the first loss", "forward pass");
  if (proof.tensors) {
    const Lengths lengths = proof.tensors->lengths.value_or(Lengths());
    const Lengths usual = rounding.lengths.value_or(Lengths());
    const Difference gradients = rounding.gradients.value_or(Difference());
    judge.check(proof.tensors->gradients, at_least(limits.typical_gradient, gradients.typical),
                at_least(limits.largest_gradient, gradients.largest), "gradient", "backward pass");
    judge.check(std::abs(lengths.gradients - usual.gradients), limits.length,
                "the length of the gradients", "backward pass, or the loss scale");
    judge.check(proof.tensors->updates, at_least(limits.typical_update, rounding.updates.typical),
                at_least(limits.largest_update, rounding.updates.largest), "update", "optimizer");
    judge.check(std::abs(lengths.updates - usual.updates), limits.length,
                "the length of the updates", "optimizer");
    judge.check(proof.tensors->growth, at_least(limits.growth, rounding.growth),
                "the growth of the weights", "weight decay");
  }
  const double losses = at_least(limits.losses, rounding.losses.value_or(0));
  judge.check(proof.largest_difference, losses, "a later loss", "training");
  if (proof.dropout) judge.check(*proof.dropout, limits, losses);
}

std::filesystem::path proofs_folder(const std::filesystem::path& home) {
  // A source tree keeps them for all folders that it is used from.
  const bool in_tree =
      results_folder() == "results" && is_checkout(home) && ::access(home.c_str(), W_OK) == 0;
  return (in_tree ? home / "results" : results_folder()) / "verify";
}

std::vector<Proof> known_proofs(const std::filesystem::path& home) {
  const std::filesystem::path folder = proofs_folder(home);
  return has_journal(folder) ? newest(read_journal(folder).proofs) : std::vector<Proof>();
}

std::vector<Proof> newest(const std::vector<Proof>& proofs) {
  using Versions = std::map<std::string, std::string>;
  std::set<std::tuple<Cell, Versions, Versions>> known;
  std::vector<Proof> result;
  for (const Proof& proof : std::vector<Proof>(proofs.rbegin(), proofs.rend()))
    if (known.emplace(proof.cell, proof.versions, proof.reference_versions).second)
      result.push_back(proof);
  std::reverse(result.begin(), result.end());
  return result;
}

}  // namespace trainmark
