#include "layers/kernels.h"

namespace trainmark::train {
namespace {

Kernels current;

}  // namespace

const Kernels& kernels() {
  return current;
}

void use_kernels(const Kernels& kernels) {
  current = kernels;
}

}  // namespace trainmark::train
