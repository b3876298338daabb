#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <string>

#include "distributed/distributed.h"
#include "engine/safetensors.h"
#include "engine/training_progress.h"

namespace trainmark::train {

/// The checkpoints of a training, of which the last one is kept: `checkpoint.safetensors`, written
/// by rank 0, and `checkpoint.rankN.STEP.safetensors` with what only rank N has. Rank 0's file
/// takes its name last, and decides which of the others count.
class CheckpointFolder {
 public:
  /// `identity`: what a training that goes on from a checkpoint must have in common with the one
  /// that wrote it, by name. Makes the folder. Throws UserError where that cannot be one.
  CheckpointFolder(std::filesystem::path folder, Metadata identity, std::shared_ptr<World> world);

  /// How far the last checkpoint's training has come; nothing where there is none. Throws UserError
  /// where it is damaged, or of another training.
  std::optional<TrainingProgress> find() const;

  /// Which tensors each rank has of its own, by name.
  using IsOwn = std::function<bool(const std::string& name)>;

  /// Fills the tensors with what was saved. Throws UserError where one is missing, or has another
  /// shape or type.
  void load(const NamedTensors& state, const IsOwn& is_own, std::int64_t step) const;

  /// All ranks must call it. Returns the bytes that this rank has written.
  std::int64_t save(const NamedTensors& state, const IsOwn& is_own,
                    const TrainingProgress& progress) const;

 private:
  std::filesystem::path main_file() const { return folder_ / "checkpoint.safetensors"; }
  std::filesystem::path own_file(std::int64_t step) const;
  void remove_leftovers() const;
  void remove_own_files_but(std::int64_t step) const;

  std::filesystem::path folder_;
  Metadata identity_;
  std::shared_ptr<World> world_;
};

}  // namespace trainmark::train
