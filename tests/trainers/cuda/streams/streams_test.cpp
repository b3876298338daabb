// What runs beside each other in a recorded step gives what it gives one after the other.

#include <torch/types.h>

#include "layer_check.h"
#include "support.h"

namespace trainmark::train {
namespace {

/// Products of these are the same in every order.
at::Tensor small_integers(at::IntArrayRef shape) {
  return torch::randint(-2, 3, shape, at::TensorOptions(at::kCUDA).dtype(at::kHalf));
}

class StreamsOnGpu : public OnGpu {
 protected:
  static constexpr std::int64_t width = 512;

  /// The gradients of `parameters` by `loss`, done at once and in a recorded step, which is
  /// replayed again and again: what reads too early or too late would differ in one of them.
  void expect_same_when_recorded(
      const Tensors& parameters, const std::function<at::Tensor()>& loss,
      const std::function<void(const at::Tensor&)>& backward = [](const at::Tensor& value) {
        value.backward();
      }) {
    Tensors gradients;
    const auto step = [&] {
      for (const at::Tensor& parameter : parameters) parameter.mutable_grad().reset();
      const at::Tensor value = loss();
      backward(value);
      gradients.clear();
      for (const at::Tensor& parameter : parameters) gradients.push_back(parameter.grad() * 1);
      return value.detach();
    };
    for (int i = 0; i < 3; ++i) step();
    Tensors truth;
    for (const at::Tensor& gradient : gradients) truth.push_back(gradient.clone());
    const std::unique_ptr<RecordedStep> recorded = accelerator->record(step);
    for (int i = 0; i < 50; ++i) {
      recorded->replay();
      accelerator->synchronize();
      for (std::size_t j = 0; j < truth.size(); ++j) {
        ASSERT_TRUE(at::equal(gradients[j], truth[j])) << "replay " << i << ", parameter " << j;
      }
    }
  }
};

TEST_F(StreamsOnGpu, BranchesBesideEachOtherGiveTheSameGradients) {
  torch::manual_seed(1);
  const at::Tensor x = small_integers({width, width});
  const at::Tensor one = small_integers({width, width}).set_requires_grad(true);
  const at::Tensor other = small_integers({width, width}).set_requires_grad(true);
  // Each branch reads what the other has made, as the two generators do.
  const auto branch = [&](const at::Tensor& input, const at::Tensor& weight) {
    return Tensors{input.mm(weight) / width};
  };
  expect_same_when_recorded({one, other}, [&] {
    const auto side_by_side = accelerator->kernels().side_by_side;
    const TwoResults made =
        side_by_side([&] { return branch(x, one); }, [&] { return branch(x, other); }, {x});
    const TwoResults back =
        side_by_side([&] { return branch(made.second[0], one); },
                     [&] { return branch(made.first[0], other); }, {made.first[0]});
    return back.first[0].to(at::kFloat).sum() + back.second[0].to(at::kFloat).sum();
  });
}

TEST_F(StreamsOnGpu, BranchesInsideOfBranchesGiveTheSameGradients) {
  torch::manual_seed(2);
  const at::Tensor x = small_integers({width, width});
  Tensors weights;
  for (int i = 0; i < 4; ++i) {
    weights.push_back(small_integers({width, width}).set_requires_grad(true));
  }
  const auto side_by_side = accelerator->kernels().side_by_side;
  const auto inner = [&](std::size_t first) {
    const auto product = [&](std::size_t i) { return Tensors{x.mm(weights[i]) / width}; };
    const TwoResults made =
        side_by_side([&] { return product(first); }, [&] { return product(first + 1); }, {x});
    return Tensors{made.first[0].mm(made.second[0]) / width};
  };
  expect_same_when_recorded(weights, [&] {
    const TwoResults made = side_by_side([&] { return inner(0); }, [&] { return inner(2); }, {x});
    return (made.first[0] * made.second[0]).to(at::kFloat).sum();
  });
}

TEST_F(StreamsOnGpu, WeightGradientsBesideTheBackwardPassAreTheSame) {
  torch::manual_seed(3);
  // As long as sums must be to be found beside the pass, and one that is shorter.
  for (const std::int64_t rows : {8192, 8200, 64}) {
    const at::Tensor x = small_integers({rows, 64});
    Tensors parameters;
    for (int i = 0; i < 6; ++i) {
      parameters.push_back(small_integers({64, 64}).set_requires_grad(true));
      parameters.push_back(small_integers({64}).set_requires_grad(true));
    }
    expect_same_when_recorded(
        parameters,
        [&] {
          at::Tensor y = x;
          for (std::size_t i = 0; i < parameters.size(); i += 2) {
            y = accelerator->kernels().linear(y, parameters[i], parameters[i + 1]) / 64;
          }
          return y.to(at::kFloat).sum();
        },
        [&](const at::Tensor& loss) {
          accelerator->begin_backward();
          loss.backward();
          accelerator->end_backward();
        });
  }
}

}  // namespace
}  // namespace trainmark::train
