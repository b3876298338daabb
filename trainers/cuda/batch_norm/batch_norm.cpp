#include "cuda/batch_norm/batch_norm.h"

#include <ATen/core/ivalue.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/empty_like.h>
#include <torch/csrc/autograd/custom_function.h>
#include <torch/custom_class.h>

#include "cuda/batch_norm/norm_calls.h"

namespace trainmark::train {
namespace {

using torch::autograd::AutogradContext;
using torch::autograd::tensor_list;
using torch::autograd::Variable;

const void* data_or_null(const at::Tensor& tensor) {
  return tensor.defined() ? tensor.const_data_ptr() : nullptr;
}

at::Tensor in_floats(const at::Tensor& tensor) {
  return tensor.defined() ? tensor.to(at::kFloat) : tensor;
}

at::Tensor empty_if(bool wanted, const at::Tensor& like) {
  return wanted ? at::empty_like(like) : at::Tensor();
}

/// The settings of a layer, without its tensors, from the forward to the backward pass.
struct Settings : torch::CustomClassHolder {
  explicit Settings(const NormArguments& given) {
    arguments.activation = given.activation;
    arguments.leak = given.leak;
    arguments.per_image = given.per_image;
  }

  NormArguments arguments;
};

/// What a norm gives: its result, twice, or together with its input.
enum class Outputs { one, twins, with_input };

class BatchNorm : public torch::autograd::Function<BatchNorm> {
 public:
  static tensor_list forward(AutogradContext* context, const Variable& given_x,
                             const std::optional<Variable>& /*weight*/,
                             const std::optional<Variable>& /*bias*/,
                             const std::optional<Variable>& given_residual,
                             const std::optional<Variable>& /*slope*/,
                             const NormArguments& arguments, Outputs outputs) {
    const at::Tensor x = channels_last(given_x);
    const at::Tensor residual =
        given_residual ? channels_last(given_residual->to(x.scalar_type())) : at::Tensor();
    const NormProblem problem = norm_problem(x, arguments);
    const at::Tensor workspace = norm_workspace(problem, x);
    const at::Tensor moments =
        at::empty({problem.groups, 2, x.size(1)}, x.options().dtype(at::kFloat));
    const at::Tensor slope = in_floats(arguments.slope);
    at::Tensor y = at::empty_like(x);
    // Without a residual the sign of y follows from x, and need not be kept.
    const bool keep_signs = problem.activation == NormActivation::relu && residual.defined();
    const at::Tensor signs = keep_signs ? sign_tensor(problem, x) : at::Tensor();
    NormForward call = norm_call(arguments, x, moments, workspace);
    call.residual = data_or_null(residual);
    call.parameters = norm_parameters(arguments.weight, arguments.bias, slope, arguments.leak);
    call.y = y.mutable_data_ptr();
    call.signs = keep_signs ? signs.mutable_data_ptr<std::uint8_t>() : nullptr;
    norm_forward(problem, call);
    context->save_for_backward(
        {x, arguments.weight, arguments.bias, moments, signs, arguments.slope});
    context->saved_data["settings"] =
        c10::IValue::make_capsule(c10::make_intrusive<Settings>(arguments));
    context->saved_data["residual"] = residual.defined();
    context->set_materialize_grads(false);
    context->saved_data["with_input"] = outputs == Outputs::with_input;
    if (outputs == Outputs::twins) return {y, y.variable_data()};
    if (outputs == Outputs::with_input) return {y, x.variable_data()};
    return {y};
  }

  static tensor_list backward(AutogradContext* context, tensor_list gradients) {
    const auto saved = context->get_saved_variables();
    const at::Tensor& x = saved[0];
    const at::Tensor& weight = saved[1];
    const at::Tensor& signs = saved[4];
    const bool residual = context->saved_data["residual"].toBool();
    const auto settings =
        c10::static_intrusive_pointer_cast<Settings>(context->saved_data["settings"].toCapsule());
    at::Tensor more_dx;
    if (context->saved_data["with_input"].toBool() && gradients[1].defined()) {
      more_dx = channels_last(gradients[1].to(x.scalar_type()));
      gradients.pop_back();
    }
    const auto [dy, more_dy] = gradients_of(gradients, x.scalar_type(), signs.defined());
    const NormProblem problem = norm_problem(x, settings->arguments);
    const at::Tensor workspace = norm_workspace(problem, x);
    const at::Tensor slope = in_floats(saved[5]);
    at::Tensor dx = at::empty_like(x);
    at::Tensor dweight = empty_if(weight.defined(), weight);
    at::Tensor dbias = empty_if(weight.defined(), weight);
    at::Tensor dslope = empty_if(slope.defined(), slope);
    // Without ReLU the residual's gradient is dy itself.
    at::Tensor dresidual = signs.defined() ? at::empty_like(x) : residual ? dy : at::Tensor();
    norm_backward(problem,
                  {.x = x.const_data_ptr(),
                   .signs = signs.defined() ? signs.const_data_ptr<std::uint8_t>() : nullptr,
                   .dy = dy.const_data_ptr(),
                   .more_dy = data_or_null(more_dy),
                   .parameters = norm_parameters(weight, saved[2], slope, settings->arguments.leak),
                   .moments = saved[3].const_data_ptr<float>(),
                   .workspace = workspace.mutable_data_ptr<float>(),
                   .more_dx = data_or_null(more_dx),
                   .dx = dx.mutable_data_ptr(),
                   .dresidual = signs.defined() ? dresidual.mutable_data_ptr() : nullptr,
                   .dweight = floats_or_null(dweight),
                   .dbias = floats_or_null(dbias),
                   .dslope = floats_or_null(dslope)});
    if (dslope.defined()) dslope = dslope.to(saved[5].scalar_type());
    return {dx, dweight, dbias, dresidual, dslope, at::Tensor(), at::Tensor()};
  }

 private:
  /// Of y and, where y went two ways, of its twin; one of the two where the other was not used, and
  /// their sum where the kernel takes only one.
  static std::pair<at::Tensor, at::Tensor> gradients_of(const tensor_list& given,
                                                        at::ScalarType type, bool takes_two) {
    tensor_list gradients;
    for (const at::Tensor& gradient : given) {
      if (gradient.defined()) gradients.push_back(channels_last(gradient.to(type)));
    }
    if (gradients.size() == 1) return {gradients[0], at::Tensor()};
    if (takes_two) return {gradients[0], gradients[1]};
    return {gradients[0].add(gradients[1]), at::Tensor()};
  }
};

tensor_list apply_norm(const NormArguments& arguments, Outputs outputs) {
  return BatchNorm::apply(arguments.x, if_any(arguments.weight), if_any(arguments.bias),
                          if_any(arguments.residual), if_any(arguments.slope), arguments, outputs);
}

}  // namespace

at::Tensor batch_norm(const NormArguments& arguments) {
  return apply_norm(arguments, Outputs::one)[0];
}

Fork batch_norm_fork(const NormArguments& arguments) {
  const tensor_list twins = apply_norm(arguments, Outputs::twins);
  return {.branch = twins[0], .shortcut = twins[1]};
}

Fork batch_norm_around(const NormArguments& arguments) {
  const tensor_list outputs = apply_norm(arguments, Outputs::with_input);
  return {.branch = outputs[0], .shortcut = outputs[1]};
}

}  // namespace trainmark::train
