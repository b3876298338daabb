#include "cpu/cpu_kernels.h"

#include <ATen/Context.h>

#include "cpu/convolution.h"
#include "cpu/depthwise.h"
#include "cpu/dropout.h"
#include "cpu/prelu.h"
#include "cpu/products.h"

namespace trainmark::train {

Kernels cpu_kernels(const std::string& precision) {
  Kernels kernels;
  if (precision != "fp32") return kernels;
  kernels.depthwise = cpu_depthwise;
  kernels.dropout = cpu_dropout;
  kernels.prelu = cpu_prelu;
  if (!at::globalContext().hasMKLDNN()) return kernels;
  kernels.convolution = cpu_convolution;
  if (are_onednn_products_faster()) kernels.linear = onednn_linear;
  return kernels;
}

}  // namespace trainmark::train
