#include "cpu/batch_norm.h"

#include <ATen/Parallel.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/empty_like.h>
#include <ATen/ops/full.h>
#include <ATen/ops/ones.h>
#include <ATen/ops/zeros.h>
#include <torch/csrc/autograd/custom_function.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "cpu/norm_loops.h"

namespace trainmark::train {
namespace {

using torch::autograd::AutogradContext;
using torch::autograd::Variable;
using torch::autograd::variable_list;

constexpr auto image_order = at::MemoryFormat::ChannelsLast;
constexpr std::int64_t fewest_numbers = 1 << 14;  // that are worth another core

/// The pixels that have a mean in common: a group's, in parts that cores take.
struct NormGroups {
  NormGroups(const at::Tensor& x, bool per_image)
      : groups(per_image ? x.size(0) : 1),
        channels(x.size(1)),
        pixels(x.numel() / channels / groups),
        parts(std::clamp<std::int64_t>(pixels * channels / fewest_numbers, 1,
                                       at::get_num_threads())) {}

  /// Calls `work` for each part of each group: with the number of the group and of the part, the
  /// place of its first number, and its size.
  template <class Work>
  void for_each_part(const Work& work) const {
    at::parallel_for(0, groups * parts, 1, [&](std::int64_t begin, std::int64_t end) {
      for (std::int64_t i = begin; i < end; ++i) {
        const std::int64_t from = pixels * (i % parts) / parts;
        const std::int64_t to = pixels * (i % parts + 1) / parts;
        work(i / parts, i, (i / parts * pixels + from) * channels,
             NormPixels{.pixels = to - from, .channels = channels});
      }
    });
  }

  std::int64_t groups;
  std::int64_t channels;
  std::int64_t pixels;
  std::int64_t parts;
};

/// A sum for each channel of each part.
class PartSums {
 public:
  explicit PartSums(const NormGroups& groups)
      : channels_(groups.channels),
        parts_(groups.parts),
        sums_(static_cast<std::size_t>(groups.groups * groups.parts * groups.channels)) {}

  double* of_part(std::int64_t part) { return sums_.data() + part * channels_; }

  double total(std::int64_t group, std::int64_t channel) const {
    double total = 0;
    for (std::int64_t i = 0; i < parts_; ++i)
      total += sums_[static_cast<std::size_t>((group * parts_ + i) * channels_ + channel)];
    return total;
  }

 private:
  std::int64_t channels_;
  std::int64_t parts_;
  std::vector<double> sums_;
};

const float* floats_or_null(const at::Tensor& tensor) {
  return tensor.defined() ? tensor.const_data_ptr<float>() : nullptr;
}

float* floats_to_fill(const at::Tensor& tensor) {
  return tensor.defined() ? tensor.mutable_data_ptr<float>() : nullptr;
}

/// What the norm of a group does to each of its channels.
struct NormState {
  explicit NormState(const at::Tensor& given) : numbers(given) {}
  NormState(const NormGroups& groups, const at::Tensor& x)
      : numbers(at::empty({groups.groups, 4, groups.channels}, x.options())) {}

  float* mean(std::int64_t group) const { return row(group, 0); }
  float* inverse(std::int64_t group) const { return row(group, 1); }  // of the deviation
  float* scale(std::int64_t group) const { return row(group, 2); }
  float* offset(std::int64_t group) const { return row(group, 3); }

  at::Tensor numbers;

 private:
  float* row(std::int64_t group, std::int64_t which) const {
    return numbers.mutable_data_ptr<float>() + (group * 4 + which) * numbers.size(2);
  }
};

void move_running(float* running, double now, double momentum) {
  *running = static_cast<float>((1 - momentum) * static_cast<double>(*running) + momentum * now);
}

NormState state_of(const at::Tensor& x, const NormGroups& groups, const NormArguments& arguments) {
  PartSums sums(groups);
  PartSums squares(groups);
  const float* values = x.const_data_ptr<float>();
  const std::int64_t each = groups.pixels * groups.channels;
  // Around the first pixel, so that the squares do not drown in a large mean.
  groups.for_each_part(
      [&](std::int64_t group, std::int64_t part, std::int64_t first, const NormPixels& size) {
        add_moments(size, values + first, values + group * each, sums.of_part(part),
                    squares.of_part(part));
      });
  NormState state(groups, x);
  const float* weight = floats_or_null(arguments.weight);
  const float* bias = floats_or_null(arguments.bias);
  float* running_mean = floats_to_fill(arguments.running_mean);
  float* running_variance = floats_to_fill(arguments.running_variance);
  const auto count = static_cast<double>(groups.pixels);
  for (std::int64_t group = 0; group < groups.groups; ++group) {
    for (std::int64_t c = 0; c < groups.channels; ++c) {
      const double shifted = sums.total(group, c) / count;
      const double mean = static_cast<double>(values[group * each + c]) + shifted;
      const double variance = std::max(squares.total(group, c) / count - shifted * shifted, 0.0);
      const double inverse = 1 / std::sqrt(variance + arguments.epsilon);
      const double scale = weight != nullptr ? inverse * static_cast<double>(weight[c]) : inverse;
      const double begin = bias != nullptr ? static_cast<double>(bias[c]) : 0;
      state.mean(group)[c] = static_cast<float>(mean);
      state.inverse(group)[c] = static_cast<float>(inverse);
      state.scale(group)[c] = static_cast<float>(scale);
      state.offset(group)[c] = static_cast<float>(begin - mean * scale);
      if (running_mean == nullptr) continue;
      move_running(running_mean + c, mean, arguments.momentum);
      move_running(running_variance + c, variance * count / (count - 1), arguments.momentum);
    }
  }
  return state;
}

at::Tensor slopes_of(const NormArguments& arguments, const at::Tensor& x) {
  switch (arguments.activation) {
    case NormArguments::Activation::prelu:
      return arguments.slope.detach().contiguous();
    case NormArguments::Activation::relu:
      return at::zeros({x.size(1)}, x.options());
    case NormArguments::Activation::leaky_relu:
      return at::full({x.size(1)}, arguments.leak, x.options());
    case NormArguments::Activation::none:
      break;
  }
  return at::ones({x.size(1)}, x.options());
}

/// What comes back to the channels of each part.
struct GradientSums {
  explicit GradientSums(const NormGroups& groups) : dz(groups), dz_x(groups), slope(groups) {}

  PartSums dz;
  PartSums dz_x;  // dz × (x - mean)
  PartSums slope;
};

/// The gradient of a group's channels is a line in dz and x:
/// dx = scale × (dz - mean of dz - normal × mean of dz × normal), normal = (x - mean) × inverse.
class BackLines {
 public:
  BackLines(const NormGroups& groups, const NormState& state, const GradientSums& sums,
            const at::Tensor& x)
      : channels_(groups.channels),
        numbers_(at::empty({groups.groups, 3, groups.channels}, x.options())) {
    const auto count = static_cast<double>(groups.pixels);
    for (std::int64_t group = 0; group < groups.groups; ++group) {
      for (std::int64_t c = 0; c < channels_; ++c) {
        const auto scale = static_cast<double>(state.scale(group)[c]);
        const auto inverse = static_cast<double>(state.inverse(group)[c]);
        const double dz_normal = sums.dz_x.total(group, c) * inverse;
        const double slope = -scale * inverse * dz_normal / count;
        row(group, 0)[c] = static_cast<float>(scale);
        row(group, 1)[c] = static_cast<float>(slope);
        row(group, 2)[c] = static_cast<float>(-scale * sums.dz.total(group, c) / count -
                                              slope * static_cast<double>(state.mean(group)[c]));
      }
    }
  }

  NormBackLine of(std::int64_t group) const {
    return {.a = row(group, 0), .b = row(group, 1), .c = row(group, 2)};
  }

 private:
  float* row(std::int64_t group, std::int64_t which) const {
    return numbers_.mutable_data_ptr<float>() + (group * 3 + which) * channels_;
  }

  std::int64_t channels_;
  at::Tensor numbers_;
};

/// A number for each channel: the sum over all groups.
template <class Value>
at::Tensor over_groups(const NormGroups& groups, const at::Tensor& like, const Value& value) {
  at::Tensor result = at::empty({groups.channels}, like.options());
  for (std::int64_t c = 0; c < groups.channels; ++c) {
    double sum = 0;
    for (std::int64_t group = 0; group < groups.groups; ++group) sum += value(group, c);
    result.mutable_data_ptr<float>()[c] = static_cast<float>(sum);
  }
  return result;
}

struct CpuBatchNorm : torch::autograd::Function<CpuBatchNorm> {
  static at::Tensor forward(AutogradContext* context, const Variable& given_x,
                            const std::optional<Variable>& weight,
                            const std::optional<Variable>& /*bias*/,
                            const std::optional<Variable>& given_residual,
                            const std::optional<Variable>& /*slope*/,
                            const NormArguments& arguments) {
    const at::Tensor x = given_x.contiguous(image_order);
    const NormGroups groups(x, arguments.per_image);
    TORCH_CHECK(groups.pixels > 1, "a norm needs more than one number per channel");
    const NormState state = state_of(x, groups, arguments);
    const at::Tensor slopes = slopes_of(arguments, x);
    const at::Tensor residual =
        given_residual ? given_residual->contiguous(image_order) : at::Tensor();
    at::Tensor y = at::empty_like(x);
    const float* from = x.const_data_ptr<float>();
    const float* added = floats_or_null(residual);
    float* to = y.mutable_data_ptr<float>();
    groups.for_each_part(
        [&](std::int64_t group, std::int64_t /*part*/, std::int64_t first, const NormPixels& size) {
          apply_norm(size, from + first,
                     {.scale = state.scale(group),
                      .offset = state.offset(group),
                      .slope = slopes.const_data_ptr<float>()},
                     added == nullptr ? nullptr : added + first, to + first);
        });
    // What a residual adds cannot be seen in x: the result tells where ReLU let it pass.
    const bool by_result =
        residual.defined() && arguments.activation == NormArguments::Activation::relu;
    context->save_for_backward(
        {x, weight.value_or(at::Tensor()), state.numbers, slopes, by_result ? y : at::Tensor()});
    context->saved_data["per_image"] = arguments.per_image;
    context->saved_data["residual"] = residual.defined();
    context->saved_data["slopes"] = arguments.activation == NormArguments::Activation::prelu;
    return y;
  }

  static variable_list backward(AutogradContext* context, const variable_list& gradients) {
    const variable_list saved = context->get_saved_variables();
    const at::Tensor& x = saved[0];
    const at::Tensor& weight = saved[1];
    const NormState state(saved[2]);
    const at::Tensor& slopes = saved[3];
    const at::Tensor& y = saved[4];
    const bool has_residual = context->saved_data["residual"].toBool();
    const bool has_slopes = context->saved_data["slopes"].toBool();
    const at::Tensor dy = gradients[0].contiguous(image_order);
    const NormGroups groups(x, context->saved_data["per_image"].toBool());
    const auto part_of = [&](std::int64_t group, std::int64_t first) {
      return NormGradient{.x = x.const_data_ptr<float>() + first,
                          .y = y.defined() ? y.const_data_ptr<float>() + first : nullptr,
                          .dy = dy.const_data_ptr<float>() + first,
                          .line = {.scale = state.scale(group),
                                   .offset = state.offset(group),
                                   .slope = slopes.const_data_ptr<float>()}};
    };
    GradientSums sums(groups);
    groups.for_each_part([&](std::int64_t group, std::int64_t part, std::int64_t first,
                             const NormPixels& size) {
      add_norm_gradients(size, part_of(group, first), state.mean(group), sums.dz.of_part(part),
                         sums.dz_x.of_part(part), has_slopes ? sums.slope.of_part(part) : nullptr);
    });
    const BackLines lines(groups, state, sums, x);
    at::Tensor dx = at::empty_like(x);
    // Without ReLU the residual's gradient is dy itself.
    at::Tensor dresidual = y.defined() ? at::empty_like(x) : has_residual ? dy : at::Tensor();
    groups.for_each_part(
        [&](std::int64_t group, std::int64_t /*part*/, std::int64_t first, const NormPixels& size) {
          apply_norm_gradient(size, part_of(group, first), lines.of(group),
                              dx.mutable_data_ptr<float>() + first,
                              y.defined() ? dresidual.mutable_data_ptr<float>() + first : nullptr);
        });
    const auto parameter = [&](bool is_there, const auto& gradient) {
      return is_there ? over_groups(groups, x, gradient) : at::Tensor();
    };
    const at::Tensor dweight = parameter(weight.defined(), [&](std::int64_t group, std::int64_t c) {
      return sums.dz_x.total(group, c) * static_cast<double>(state.inverse(group)[c]);
    });
    const at::Tensor dbias = parameter(weight.defined(), [&](std::int64_t group, std::int64_t c) {
      return sums.dz.total(group, c);
    });
    const at::Tensor dslope = parameter(
        has_slopes, [&](std::int64_t group, std::int64_t c) { return sums.slope.total(group, c); });
    return {dx, dweight, dbias, dresidual, dslope, at::Tensor()};
  }
};

}  // namespace

at::Tensor cpu_batch_norm(const NormArguments& arguments) {
  return CpuBatchNorm::apply(arguments.x, if_any(arguments.weight), if_any(arguments.bias),
                             if_any(arguments.residual), if_any(arguments.slope), arguments);
}

Fork cpu_batch_norm_fork(const NormArguments& arguments) {
  const at::Tensor y = cpu_batch_norm(arguments);
  return {.branch = y, .shortcut = y};
}

Fork cpu_batch_norm_around(const NormArguments& arguments) {
  return {.branch = cpu_batch_norm(arguments), .shortcut = arguments.x};
}

Fork cpu_two_norms_add_relu(const NormArguments& x, const NormArguments& z) {
  NormArguments sum = x;
  sum.residual = cpu_batch_norm(z);
  sum.activation = NormArguments::Activation::relu;
  return cpu_batch_norm_fork(sum);
}

}  // namespace trainmark::train
