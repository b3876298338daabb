#pragma once

#include <gtest/gtest.h>
#include <torch/types.h>

#include <sstream>

#include "kernels/kernels.h"

namespace trainmark::train {

using Tensors = std::vector<at::Tensor>;
using Layer = std::function<at::Tensor(const Tensors& inputs)>;

/// How far a is from b, by their lengths.
inline double distance(const at::Tensor& a, const at::Tensor& b) {
  const at::Tensor truth = b.to(at::kDouble);
  return ((a.to(at::kDouble) - truth).norm() / (truth.norm() + 1e-30)).item<double>();
}

/// What rounding to the type leaves, with some room.
inline double rounding_of(at::ScalarType type) {
  return type == at::kFloat ? 1e-5 : type == at::kHalf ? 6e-3 : 5e-2;
}

inline std::string text_of(at::IntArrayRef shape, at::ScalarType type) {
  std::ostringstream text;
  text << shape << " " << c10::toString(type);
  return text.str();
}

inline Tensors in_doubles(Tensors tensors) {
  for (at::Tensor& tensor : tensors) {
    if (tensor.defined()) tensor = tensor.to(at::kDouble);
  }
  return tensors;
}

/// What a layer gives and the gradients of its inputs, one behind the other; undefined inputs have
/// undefined gradients.
inline Tensors outcome_of(const Tensors& given, const at::Tensor& gradient, const Layer& layer) {
  Tensors inputs;
  for (const at::Tensor& tensor : given) {
    inputs.push_back(tensor.defined() ? tensor.detach().clone().set_requires_grad(true) : tensor);
  }
  const at::Tensor y = layer(inputs);
  y.backward(gradient.to(y.scalar_type()));
  Tensors outcome = {y.detach()};
  for (const at::Tensor& tensor : inputs) {
    outcome.push_back(tensor.defined() ? tensor.grad() : tensor);
  }
  return outcome;
}

/// A layer against its definition in doubles: its result and every gradient.
inline void expect_same_layer(const std::string& name, const Tensors& inputs, const Layer& ours,
                              const Layer& definition, double tolerance) {
  const at::Tensor shape = [&] {
    const at::NoGradGuard no_grad;
    return ours(inputs);
  }();
  const at::Tensor gradient = torch::randn_like(shape);
  const Tensors found = outcome_of(inputs, gradient, ours);
  const Tensors truth = outcome_of(in_doubles(inputs), gradient.to(at::kDouble), definition);
  for (std::size_t i = 0; i < found.size(); ++i) {
    ASSERT_EQ(found[i].defined(), truth[i].defined()) << name << ", " << i;
    if (!found[i].defined()) continue;
    EXPECT_LT(distance(found[i], truth[i]), tolerance)
        << name << ", " << (i == 0 ? "result" : "gradient of input " + std::to_string(i - 1));
  }
}

/// A layer that gives twins has the same gradients, bit by bit, whoever reads them: the gradients
/// that come back are small whole numbers or quarters of them, whose sums are exact.
inline void expect_same_for_all_readers(const std::string& name, const Tensors& inputs,
                                        const std::function<Fork(const Tensors&)>& layer) {
  const at::Tensor shape = [&] {
    const at::NoGradGuard no_grad;
    return layer(inputs).branch;
  }();
  const at::Tensor gradient = torch::randint_like(shape, -8, 9);
  const Tensors branch =
      outcome_of(inputs, gradient, [&](const Tensors& given) { return layer(given).branch; });
  const Tensors shortcut =
      outcome_of(inputs, gradient, [&](const Tensors& given) { return layer(given).shortcut; });
  const Tensors both = outcome_of(inputs, gradient, [&](const Tensors& given) {
    const Fork twins = layer(given);
    return 0.25 * twins.branch + 0.75 * twins.shortcut;
  });
  EXPECT_TRUE(at::equal(branch[0], shortcut[0])) << name;
  for (std::size_t i = 1; i < branch.size(); ++i) {
    if (!branch[i].defined()) continue;
    EXPECT_TRUE(at::equal(branch[i], shortcut[i])) << name << ", shortcut, gradient of " << i - 1;
    EXPECT_TRUE(at::equal(branch[i], both[i])) << name << ", both, gradient of " << i - 1;
  }
}

}  // namespace trainmark::train
