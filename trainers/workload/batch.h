#pragma once

#include <ATen/core/Tensor.h>

#include <initializer_list>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace trainmark::train {

/// The tensors of one forward pass: the inputs of the workload's contract by their names, and what
/// is made of them once, before the first step.
class Batch {
 public:
  struct Named {
    std::string name;
    at::Tensor tensor;
  };

  Batch() = default;
  Batch(std::initializer_list<Named> tensors) : tensors_(tensors) {}
  explicit Batch(std::vector<Named> tensors) : tensors_(std::move(tensors)) {}

  /// There are a few of them: looking from the first on is faster than any table.
  const at::Tensor& operator[](std::string_view name) const {
    for (const Named& named : tensors_) {
      if (named.name == name) return named.tensor;
    }
    throw std::out_of_range("the batch has no '" + std::string(name) + "'");
  }

  /// Undefined where the batch has none of that name.
  at::Tensor find(std::string_view name) const {
    for (const Named& named : tensors_) {
      if (named.name == name) return named.tensor;
    }
    return {};
  }

  void add(std::string name, at::Tensor tensor) {
    tensors_.push_back({std::move(name), std::move(tensor)});
  }

  std::vector<Named>::iterator begin() { return tensors_.begin(); }
  std::vector<Named>::iterator end() { return tensors_.end(); }
  std::vector<Named>::const_iterator begin() const { return tensors_.begin(); }
  std::vector<Named>::const_iterator end() const { return tensors_.end(); }

 private:
  std::vector<Named> tensors_;
};

}  // namespace trainmark::train
