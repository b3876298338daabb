#include "logs/utilisation.h"

#include <fmt/format.h>

#include <array>
#include <cmath>

#include "base/text.h"
#include "base/verdict_names.h"

namespace trainmark {

namespace {

// Forward and backward take six FLOPs per parameter and token. Attention comes on top, with 15 % at
// most in models of usual size: what differs by more has another reason.
constexpr double flops_per_parameter = 6;
constexpr double mfu_limit = 0.25;

struct DevicePeak {
  std::string_view name;
  double teraflops;
};

// Dense, with sums in FP32.
constexpr auto peaks = std::to_array<DevicePeak>({
    {"V100", 125},   {"T4", 65},       {"A10", 125},     {"A30", 165},      {"A40", 149.7},
    {"A100", 312},   {"A800", 312},    {"L4", 121},      {"L40", 181},      {"L40S", 362},
    {"H20", 148},    {"H100", 989},    {"H800", 989},    {"H200", 989},     {"GH200", 989},
    {"B100", 1750},  {"B200", 2250},   {"RTX 3090", 71}, {"RTX 4090", 165}, {"RTX 5090", 209.5},
    {"MI250X", 383}, {"MI300X", 1307},
});

double flops_of_token(const LogFigure& figure, const Facts& facts) {
  const double said = real_fact(facts, "flops_per_token");
  return positive(said) ? said : flops_per_parameter * figure.parameters;
}

}  // namespace

double peak_of_device(std::string_view machine) {
  for (const DevicePeak& peak : peaks) {
    if (!machine.ends_with(peak.name)) continue;
    const std::string_view front = machine.substr(0, machine.size() - peak.name.size());
    if (front.empty() || front.ends_with(' ')) return 1e12 * peak.teraflops;
  }
  return not_known;
}

void check_utilisation(LogFigure& figure, const Facts& facts, const Dialect& dialect) {
  figure.parameters = real_fact(facts, "parameters");
  // What the program divides by, and what the device can do.
  const double said = real_fact(facts, "peak_flops");
  const double counted = positive(said) ? said : dialect.mfu_peak;
  const double device = peak_of_device(figure.machine);
  const double peak = positive(device) ? device : counted;
  if (figure.unit != "tokens/s" || !figure.gpus || !positive(figure.mfu)) return;
  const double rate = positive(figure.without_pauses) ? figure.without_pauses : figure.throughput;
  const double flops = flops_of_token(figure, facts);
  figure.mfu_recomputed = rate * flops / (*figure.gpus * peak);
  if (!positive(figure.mfu_recomputed)) {
    figure.mfu_recomputed = not_known;
    return;
  }
  const double off = figure.mfu / figure.mfu_recomputed - 1;
  if (std::abs(off) <= mfu_limit) return;
  const bool other_peak = positive(counted) && std::abs(counted / peak - 1) > 0.05;
  figure.verdicts.push_back(
      {verdicts::mfu_differs,
       fmt::format("the log prints an MFU of {:.1f} %, and {} tokens/s × {:.3g} GFLOPs ÷ ({} × "
                   "{:.4g} TFLOP/s) is {:.1f} %: {}",
                   100 * figure.mfu, trainmark::figure(rate), flops / 1e9, *figure.gpus,
                   peak / 1e12, 100 * figure.mfu_recomputed,
                   other_peak ? fmt::format("the program counts on {:.4g} TFLOP/s", counted / 1e12)
                              : "parameters, GPUs or the peak are different")});
}

}  // namespace trainmark
