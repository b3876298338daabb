#pragma once

#include <ATen/core/Tensor.h>

#include <chrono>
#include <functional>
#include <memory>
#include <string>
#include <torch/csrc/distributed/c10d/Backend.hpp>

#include "distributed/communication_meter.h"
#include "engine/optimizer.h"
#include "engine/step_timer.h"
#include "input/picture_decoder.h"
#include "kernels/kernels.h"

namespace trainmark::train {

/// Steps recorded once and replayed as one launch.
class RecordedStep {
 public:
  virtual ~RecordedStep() = default;

  /// The loss lies in the same tensor every time: read it before the next step overwrites it.
  virtual at::Tensor replay() = 0;
};

/// What the engine needs of a device beside LibTorch's operators. The trainer itself links no CUDA
/// library, so that one program serves machines with and without: this comes from a shared object
/// of its own (cuda/), opened where there is such a device.
class Accelerator {
 public:
  virtual ~Accelerator() = default;

  virtual std::string device_name() = 0;
  virtual double peak_bytes() = 0;  // the most that tensors have held at a time
  virtual void forget_peak() = 0;   // it counts from here
  virtual void synchronize() = 0;
  virtual std::unique_ptr<StepTimer> make_step_timer() = 0;

  /// Records `step` without doing it. It must have been done a few times before, so that everything
  /// that is chosen or allocated once is there.
  virtual std::unique_ptr<RecordedStep> record(const std::function<at::Tensor()>& step) = 0;

  /// Around a backward pass whose gradients of weights nobody reads, or adds to others, before it
  /// has ended.
  virtual void begin_backward() = 0;
  virtual void end_backward() = 0;

  /// As engine/optimizer.h's, for parameters on this device.
  virtual std::unique_ptr<Optimizer> make_optimizer(const OptimizerSettings& settings,
                                                    std::vector<at::Tensor> parameters,
                                                    Decay decay = Decay::all) = 0;

  /// What this device's ranks talk through.
  virtual c10::intrusive_ptr<c10d::Backend> make_process_group(
      const c10::intrusive_ptr<c10d::Store>& store, int rank, int ranks,
      std::chrono::seconds timeout) = 0;
  virtual std::unique_ptr<CommunicationMeter> make_communication_meter() = 0;

  /// What this device decodes pictures with; none, and `why_not`, where it cannot.
  virtual std::unique_ptr<PictureDecoder> make_picture_decoder(std::string& why_not) = 0;

  /// Fused layers for this device.
  virtual const Kernels& kernels() = 0;
};

/// The name of the function in the shared object that gives its Accelerator, which lives for ever.
constexpr const char* accelerator_symbol = "trainmark_accelerator";
using AcceleratorFunction = Accelerator* (*)(int device);

/// Opens what the device needs and gives its accelerator; none for the CPU. Throws Unsupported
/// where something is missing. Opened once, for the rank's own device of those of this machine; the
/// same one is given afterwards.
Accelerator* open_accelerator(const std::string& device, int local_rank = 0);

}  // namespace trainmark::train
