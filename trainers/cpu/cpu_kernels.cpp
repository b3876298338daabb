#include "cpu/cpu_kernels.h"

#include <ATen/Context.h>

#include "cpu/batch_norm.h"
#include "cpu/convolution.h"
#include "cpu/depthwise.h"
#include "cpu/dropout.h"
#include "cpu/products.h"

namespace trainmark::train {

Kernels cpu_kernels(const std::string& precision) {
  Kernels kernels;
  if (precision != "fp32") return kernels;
  kernels.batch_norm = cpu_batch_norm;
  kernels.batch_norm_fork = cpu_batch_norm_fork;
  kernels.batch_norm_around = cpu_batch_norm_around;
  kernels.two_norms_add_relu = cpu_two_norms_add_relu;
  kernels.depthwise = cpu_depthwise;
  kernels.dropout = cpu_dropout;
  if (!at::globalContext().hasMKLDNN()) return kernels;
  kernels.convolution = cpu_convolution;
  if (are_onednn_products_faster()) kernels.linear = onednn_linear;
  return kernels;
}

}  // namespace trainmark::train
