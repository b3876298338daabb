#include "engine/profile_summary.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>

namespace trainmark::train {
namespace {

constexpr std::string_view convolution_work = "convolutions";
constexpr std::string_view product_work = "matrix products";
constexpr std::string_view optimizer_work = "optimizer";
constexpr std::string_view unknown_work = "other";

struct KindSign {
  std::string_view sign;  // a part of the name
  std::string_view kind;
};

// The first sign that is found decides. Our own kernels are known by their arguments, LibTorch's
// and NVIDIA's by what they have been called so far.
constexpr KindSign kind_signs[] = {
    {"nccl", "communication"},
    {"update_kernel", optimizer_work},
    {"overflow_kernel", optimizer_work},
    {"fused_adam", optimizer_work},
    {"fused_sgd", optimizer_work},
    {"FusedAdam", optimizer_work},
    {"FusedSgd", optimizer_work},
    {"Attention", "attention"},
    {"attention", "attention"},
    {"sdpa", "attention"},
    {"flash", "attention"},
    {"CrossEntropy", "losses"},
    {"cross_entropy", "losses"},
    {"Margin", "losses"},
    {"ScaledRows", "losses"},
    {"SoftMax", "losses"},
    {"softmax", "losses"},
    {"nll_loss", "losses"},
    {"MaxPool", "pooling, padding and resizing"},
    {"max_pool", "pooling, padding and resizing"},
    {"avg_pool", "pooling, padding and resizing"},
    {"Reflect", "pooling, padding and resizing"},
    {"reflection_pad", "pooling, padding and resizing"},
    {"Stretch", "pooling, padding and resizing"},
    {"upsample", "pooling, padding and resizing"},
    {"Depthwise", convolution_work},
    {"xmma_fprop", convolution_work},
    {"xmma_dgrad", convolution_work},
    {"xmma_wgrad", convolution_work},
    {"implicit_gemm", convolution_work},
    {"ImplicitGemm", convolution_work},
    {"Fprop", convolution_work},
    {"fprop", convolution_work},
    {"dgrad", convolution_work},
    {"wgrad", convolution_work},
    {"bn_stats", convolution_work},
    {"init_device_workspace", convolution_work},
    {"conv2d", convolution_work},
    {"convolution", convolution_work},
    {"nhwcAddPadding", convolution_work},
    {"nchwToNhwc", convolution_work},
    {"nhwcToNchw", convolution_work},
    {"Gate", "squeeze-excitation"},
    {"Norm", "norms"},
    {"sum_forward", "norms"},
    {"GammaBeta", "norms"},
    {"layer_norm", "norms"},
    {"batch_norm", "norms"},
    {"nvjet", product_work},
    {"gemm", product_work},
    {"Gemm", product_work},
    {"splitKreduce", product_work},
    {"cublas", product_work},
    {"cutlass", product_work},
    {"aten::mm", product_work},
    {"aten::addmm", product_work},
    {"aten::bmm", product_work},
    {"mkldnn_linear", product_work},
    {"mkldnn::_linear", product_work},
    {"LinearBackward", "activations and biases"},
    {"gelu", "activations and biases"},
    {"Gelu", "activations and biases"},
    {"relu", "activations and biases"},
    {"dropout", "activations and biases"},
    {"PartSums", "activations and biases"},
    {"embedding", "embeddings and gathers"},
    {"gather", "embeddings and gathers"},
    {"scatter", "embeddings and gathers"},
    {"index", "embeddings and gathers"},
    {"compute_grad_weight", "embeddings and gathers"},
    {"radix_sort", "embeddings and gathers"},
    {"unique_by_key", "embeddings and gathers"},
    {"memset", "copies and fills"},
    {"Memset", "copies and fills"},
    {"memcpy", "copies and fills"},
    {"Memcpy", "copies and fills"},
    {"copy", "copies and fills"},
    {"Fill", "copies and fills"},
    {"fill", "copies and fills"},
    {"zero_", "copies and fills"},
    {"CatArray", "copies and fills"},
    {"reduce_kernel", "sums"},
    {"aten::sum", "sums"},
    {"elementwise", "elementwise"},
    {"aten::", "elementwise"},
};

struct Total {
  double milliseconds = 0;
  double count = 0;

  void add(const ProfiledWork& work, int steps) {
    milliseconds += 1e-6 * static_cast<double>(work.duration_ns) / steps;
    count += 1.0 / steps;
  }
};

template <class Key>
std::vector<std::pair<Key, Total>> largest_first(const std::map<Key, Total>& totals) {
  std::vector<std::pair<Key, Total>> sorted(totals.begin(), totals.end());
  std::stable_sort(sorted.begin(), sorted.end(), [](const auto& a, const auto& b) {
    return a.second.milliseconds > b.second.milliseconds;
  });
  return sorted;
}

/// In which some work was under way, and from the first to the last.
struct Occupation {
  explicit Occupation(const std::vector<ProfiledWork>& given) {
    std::vector<std::pair<std::int64_t, std::int64_t>> times;
    for (const ProfiledWork& work : given) {
      times.emplace_back(work.begin_ns, work.begin_ns + work.duration_ns);
    }
    std::sort(times.begin(), times.end());
    std::int64_t end = times.empty() ? 0 : times.front().first;
    for (const auto& [from, to] : times) {
      covered_ns += std::max<std::int64_t>(0, to - std::max(from, end));
      end = std::max(end, to);
    }
    if (!times.empty()) span_ns = end - times.front().first;
  }

  std::int64_t covered_ns = 0;
  std::int64_t span_ns = 0;
};

/// What a kind has to do at least, where that is known.
struct Floor {
  std::string amount;
  double milliseconds = 0;
};

/// Of weights, gradients and moments, as the fused optimizers read and write them. A gradient in
/// half precision and a copy of the weight take what a gradient in fp32 takes.
double optimizer_bytes(const StepFacts& facts) {
  return facts.parameters * (facts.adam ? 28 : 20);
}

std::optional<Floor> floor_of(std::string_view kind, const StepFacts& facts) {
  if (kind == optimizer_work && facts.parameters > 0 && facts.copy_bytes_per_second > 0) {
    const double bytes = optimizer_bytes(facts);
    return Floor{fmt::format("{:.2f} GB", 1e-9 * bytes), 1e3 * bytes / facts.copy_bytes_per_second};
  }
  return std::nullopt;
}

std::optional<Floor> floor_of_flops(const StepFacts& facts) {
  if (facts.flops <= 0 || facts.matrix_flops_per_second <= 0) return std::nullopt;
  return Floor{fmt::format("{:.2f} TFLOP", 1e-12 * facts.flops),
               1e3 * facts.flops / facts.matrix_flops_per_second};
}

std::string row_of(std::string_view kind, const Total& total, double all,
                   const std::optional<Floor>& floor) {
  return fmt::format("| {} | {:.0f} | {:.3f} | {:.1f} % | {} | {} | {} |\n", kind, total.count,
                     total.milliseconds, 100 * total.milliseconds / all, floor ? floor->amount : "",
                     floor ? fmt::format("{:.3f}", floor->milliseconds) : "",
                     floor ? fmt::format("{:.1f}", total.milliseconds / floor->milliseconds) : "");
}

/// Templates write long names; a bar would end a cell of the table.
std::string short_name(std::string name) {
  constexpr std::size_t longest = 120;
  if (name.size() > longest) name = name.substr(0, longest) + "…";
  std::replace(name.begin(), name.end(), '|', '/');
  return name;
}

}  // namespace

std::string_view kind_of_work(std::string_view name) {
  for (const auto& [sign, kind] : kind_signs) {
    if (name.find(sign) != std::string_view::npos) return kind;
  }
  return unknown_work;
}

std::vector<ProfiledWork> without_callees(std::vector<ProfiledOperator> operators) {
  // Whoever calls begins first, and where two begin together takes longer.
  std::stable_sort(operators.begin(), operators.end(), [](const auto& a, const auto& b) {
    if (a.thread != b.thread) return a.thread < b.thread;
    if (a.work.begin_ns != b.work.begin_ns) return a.work.begin_ns < b.work.begin_ns;
    return a.work.duration_ns > b.work.duration_ns;
  });
  std::vector<ProfiledWork> work;
  struct Caller {
    std::size_t place;
    std::int64_t end_ns;
  };
  std::vector<Caller> callers;
  std::uint64_t thread = 0;
  for (const ProfiledOperator& called : operators) {
    const std::int64_t end_ns = called.work.begin_ns + called.work.duration_ns;
    if (called.thread != thread) callers.clear();
    thread = called.thread;
    while (!callers.empty() && callers.back().end_ns < end_ns) callers.pop_back();
    if (!callers.empty()) work[callers.back().place].duration_ns -= called.work.duration_ns;
    callers.push_back({work.size(), end_ns});
    work.push_back(called.work);
  }
  return work;
}

std::string profile_summary(const std::vector<ProfiledWork>& work, const StepFacts& facts) {
  constexpr std::size_t most_kernels = 30;
  std::map<std::string_view, Total> kinds;
  std::map<std::string, Total> kernels;
  Total all;
  for (const ProfiledWork& piece : work) {
    kinds[kind_of_work(piece.name)].add(piece, facts.steps);
    kernels[piece.name].add(piece, facts.steps);
    all.add(piece, facts.steps);
  }
  const Occupation occupation(work);
  const auto per_step = [&](std::int64_t ns) {
    return 1e-6 * static_cast<double>(ns) / facts.steps;
  };
  std::string page = fmt::format(
      "# {}\n\n{} steps: {:.3f} ms per step from the first kernel to the last, {:.3f} with a "
      "kernel "
      "under way; {:.3f} ms and {:.0f} kernels in all.\n\n",
      facts.title, facts.steps, per_step(occupation.span_ns), per_step(occupation.covered_ns),
      all.milliseconds, all.count);
  page +=
      "| kind | kernels per step | ms per step | share | at least | at least, ms | ÷ |\n"
      "|:--|--:|--:|--:|--:|--:|--:|\n";
  for (const auto& [kind, total] : largest_first(kinds)) {
    page += row_of(kind, total, all.milliseconds, floor_of(kind, facts));
  }
  if (const std::optional<Floor> floor = floor_of_flops(facts)) {
    Total both;
    for (const std::string_view kind : {convolution_work, product_work}) {
      both.milliseconds += kinds[kind].milliseconds;
      both.count += kinds[kind].count;
    }
    page += row_of("convolutions and matrix products", both, all.milliseconds, floor);
  }
  page += "\n| kernel | per step | ms per step | µs each |\n|:--|--:|--:|--:|\n";
  std::size_t rows = 0;
  for (const auto& [name, total] : largest_first(kernels)) {
    if (++rows > most_kernels) break;
    page += fmt::format("| {} | {:.0f} | {:.3f} | {:.1f} |\n", short_name(name), total.count,
                        total.milliseconds, 1e3 * total.milliseconds / total.count);
  }
  return page;
}

}  // namespace trainmark::train
