#include "logs/grammar/dllogger.h"

// NVIDIA's ResNet-50 for PyTorch. `total_ips` counts the loading of data, `compute_ips` does not.

namespace trainmark {

namespace {

Dialect dialect() {
  Dialect result = dllogger_dialect(
      "NVIDIA's ResNet-50 for PyTorch (DLLogger)",
      "DLL 2024-01-02 03:04:05.678901 - Epoch: 0 Iteration: 20  train.loss : 6.90000 None "
      "train.compute_ips : 405.00 images/s train.total_ips : 400.00 images/s train.lr : 0.1",
      "train.total_ips", "train.loss", "images/s");
  result.quality = {{"val_top1", "val.top1 : "}, {"val_top5", "val.top5 : "}};
  return result;
}

const Registration<Dialect> registered("dll_resnet50_pytorch", dialect());

}  // namespace

}  // namespace trainmark
