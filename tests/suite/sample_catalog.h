#pragma once

#include "suite/catalog.h"

namespace trainmark {

/// Two frameworks that work and one that does not, as a plan sees them.
inline Catalog sample_catalog(bool with_gpu = false) {
  const WorkloadDescription resnet{
      .name = "resnet50",
      .title = "ResNet-50",
      .unit = "images",
      .modes = {"eager", "graph"},
      .sizes = {{"full", 128, {{"resolution", 224}, {"classes", 1000}}},
                {"small", 8, {{"resolution", 112}, {"classes", 1000}}},
                {"tiny", 2}},
      .precisions = {{"cpu", {"fp32"}}, {"cuda", {"fp32", "amp-fp16"}}},
      .several_ranks = true};
  WorkloadDescription bert = resnet;
  bert.name = "bert";
  bert.unit = "sequences";
  bert.modes = {"eager"};
  bert.several_ranks = false;
  FrameworkOffer torch;
  torch.name = "libtorch";
  torch.title = "LibTorch";
  torch.program = {"/bin/train"};
  torch.setup = "make build";
  torch.description.devices = {{"cpu", ""}, {"cuda", with_gpu ? "" : "there is no GPU"}};
  torch.description.workloads = {resnet, bert};
  FrameworkOffer jax = torch;
  jax.name = "jax";
  jax.description.workloads = {resnet};
  FrameworkOffer paddle;
  paddle.name = "paddle";
  paddle.title = "Paddle";
  paddle.program = {"/bin/paddle"};
  paddle.missing = "paddle is not installed";
  return {{jax, torch, paddle}};
}

}  // namespace trainmark
