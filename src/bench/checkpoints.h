#pragma once

#include <filesystem>

#include "bench/measuring.h"
#include "suite/plan.h"

namespace trainmark {

/// Where the trainings of a session keep their checkpoints, so that one that was killed goes on:
/// FOLDER/checkpoints, below the folder of the journal. Every cell and round has a folder of its
/// own; what is trained in another way has another one.
class Checkpoints {
 public:
  explicit Checkpoints(const std::filesystem::path& folder) : folder_(folder / "checkpoints") {}

  /// The folder of one training, which is made where it is not there. `command`: the words by which
  /// its trainer is started, without this folder.
  std::filesystem::path folder_for(const PlannedCell& planned, int round,
                                   const std::vector<std::string>& command) const;

  /// Of a training whose result is recorded.
  void remove(const std::filesystem::path& folder) const;

  /// Of a session that starts from the beginning.
  void remove_all() const;

 private:
  std::filesystem::path folder_;
};

}  // namespace trainmark
