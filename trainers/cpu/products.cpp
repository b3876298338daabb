#include "cpu/products.h"

#include <ATen/Parallel.h>
#include <ATen/core/dispatch/Dispatcher.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/full.h>
#include <ATen/ops/linear.h>
#include <torch/csrc/autograd/custom_function.h>

#include <algorithm>

#include "common/host.h"
#include "cpu/vectorized.h"
#include "kernels/kernels.h"

namespace trainmark::train {
namespace {

using torch::autograd::AutogradContext;
using torch::autograd::variable_list;

constexpr std::int64_t trial_side = 512;
constexpr int trial_repeats = 4;
// Less is not worth another order of summation, and may be noise.
constexpr double worthwhile = 1.25;

constexpr std::int64_t tile = 32;  // of a transposition: both sides of it fit into the first cache

/// Rows [first, last) of `to`, which are columns of `from` [rows, columns].
TRAINMARK_VECTORIZED
void transpose(const float* from, std::int64_t rows, std::int64_t columns, std::int64_t first,
               std::int64_t last, float* to) {
  for (std::int64_t column = first; column < last; column += tile) {
    const std::int64_t end = std::min(column + tile, last);
    for (std::int64_t row = 0; row < rows; row += tile) {
      const std::int64_t row_end = std::min(row + tile, rows);
      for (std::int64_t i = column; i < end; ++i)
        for (std::int64_t j = row; j < row_end; ++j) to[i * rows + j] = from[j * columns + i];
    }
  }
}

/// The contiguous form of a transposed matrix. LibTorch copies those on one core.
at::Tensor untransposed(const at::Tensor& matrix) {
  const std::int64_t rows = matrix.size(1);
  const std::int64_t columns = matrix.size(0);
  at::Tensor result = at::empty({columns, rows}, matrix.options());
  const float* from = matrix.const_data_ptr<float>();
  float* to = result.mutable_data_ptr<float>();
  at::parallel_for(0, columns, 4 * tile, [&](std::int64_t first, std::int64_t last) {
    transpose(from, rows, columns, first, last, to);
  });
  return result;
}

/// oneDNN reads rows.
at::Tensor in_rows(const at::Tensor& matrix) {
  const bool is_transposed =
      matrix.dim() == 2 && !matrix.is_contiguous() && matrix.t().is_contiguous();
  return is_transposed ? untransposed(matrix) : matrix;
}

/// Of other strides, oneDNN has nothing but its slow reference.
at::Tensor dense(const at::Tensor& matrix) {
  return matrix.t().is_contiguous() ? matrix : matrix.contiguous();
}

// LibTorch's compiler calls this operator; its C++ interface has no name for it.
at::Tensor product(const at::Tensor& left, const at::Tensor& right,
                   const std::optional<at::Tensor>& bias = std::nullopt) {
  using Scalars = c10::List<std::optional<at::Scalar>>;
  using Operator =
      at::Tensor(const at::Tensor&, const at::Tensor&, const std::optional<at::Tensor>&,
                 std::string_view, Scalars, std::optional<std::string_view>);
  static const auto linear = c10::Dispatcher::singleton()
                                 .findSchemaOrThrow("mkldnn::_linear_pointwise", "")
                                 .typed<Operator>();
  return linear.call(in_rows(left), dense(right), bias, "none", Scalars(), "");
}

struct OneDnnLinear : torch::autograd::Function<OneDnnLinear> {
  static at::Tensor forward(AutogradContext* context, const at::Tensor& x, const at::Tensor& weight,
                            const std::optional<at::Tensor>& bias) {
    const at::AutoDispatchBelowADInplaceOrView below;
    context->save_for_backward({x, weight});
    context->saved_data["bias"] = bias.has_value();
    return product(x, weight, bias);
  }

  static variable_list backward(AutogradContext* context, const variable_list& gradients) {
    const variable_list saved = context->get_saved_variables();
    const at::Tensor& weight = saved[1];
    const at::Tensor x = saved[0].flatten(0, -2);
    const at::Tensor gradient = gradients[0].flatten(0, -2);
    variable_list result(3);
    if (context->needs_input_grad(0)) result[0] = product(gradient, weight.t()).view_as(saved[0]);
    if (context->needs_input_grad(1)) result[1] = product(gradient.t(), x.t());
    const bool has_bias = context->saved_data["bias"].toBool();
    if (has_bias && context->needs_input_grad(2)) result[2] = gradient.sum(0);
    return result;
  }
};

}  // namespace

at::Tensor onednn_product(const at::Tensor& left, const at::Tensor& right) {
  return product(left, right);
}

bool are_onednn_products_faster() {
  const at::NoGradGuard no_grad;
  const at::Tensor x = at::full({trial_side, trial_side}, 0.5);
  const at::Tensor weight = at::full({trial_side, trial_side}, 0.25);
  const auto seconds = [&](const auto& linear) {
    const std::int64_t begin = monotonic_ns();
    linear(x, weight);
    return static_cast<double>(monotonic_ns() - begin);
  };
  double usual = 1e300;
  double onednn = 1e300;
  for (int i = 0; i <= trial_repeats; ++i) {
    const double one = seconds([](const auto& a, const auto& b) { at::linear(a, b); });
    const double other = seconds([](const auto& a, const auto& b) { product(a, b); });
    if (i == 0) continue;  // both prepare
    usual = std::min(usual, one);
    onednn = std::min(onednn, other);
  }
  return usual > worthwhile * onednn;
}

at::Tensor onednn_linear(const at::Tensor& x, const at::Tensor& weight, const at::Tensor& bias) {
  if (x.dim() < 2 || x.numel() == 0) return at::linear(x, weight, bias);
  return OneDnnLinear::apply(x, weight, if_any(bias));
}

}  // namespace trainmark::train
