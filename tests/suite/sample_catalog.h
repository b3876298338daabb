#pragma once

#include "suite/catalog.h"

namespace trainmark {

/// Two frameworks that work and one that does not, as a plan sees them.
inline Catalog sample_catalog(bool with_gpu = false) {
  WorkloadOffer resnet{"resnet50",
                       "ResNet-50",
                       "images",
                       {"eager", "graph"},
                       {{"full", 128}, {"small", 8}, {"tiny", 2}},
                       {{"cpu", {"fp32"}}, {"cuda", {"fp32", "amp-fp16"}}},
                       true};
  WorkloadOffer bert = resnet;
  bert.name = "bert";
  bert.unit = "sequences";
  bert.modes = {"eager"};
  bert.several_ranks = false;
  FrameworkOffer torch{"libtorch", "LibTorch", {"/bin/train"}, "", "make build", {}, {}, {}};
  torch.devices = {{"cpu", ""}, {"cuda", with_gpu ? "" : "there is no GPU"}};
  torch.workloads = {resnet, bert};
  FrameworkOffer jax = torch;
  jax.name = "jax";
  jax.workloads = {resnet};
  FrameworkOffer paddle{"paddle", "Paddle", {"/bin/paddle"}, "paddle is not installed", "", {},
                        {},       {}};
  return {{jax, torch, paddle}};
}

}  // namespace trainmark
