#pragma once

#include <filesystem>
#include <set>
#include <string>

#include "journal/proof.h"
#include "launch/pipe.h"

namespace trainmark {

/// Where proofs are made and kept. Several benches may use one folder at the same time, each for
/// other workloads: nobody times a proof.
class ProofFolder {
 public:
  explicit ProofFolder(std::filesystem::path folder);
  ~ProofFolder();
  ProofFolder(const ProofFolder&) = delete;
  ProofFolder& operator=(const ProofFolder&) = delete;

  /// The files below are those of this workload from now on. Throws UserError where another bench
  /// is at it.
  void enter(const std::string& workload);

  /// Of tensors; it goes when the workload is left.
  std::string file(const std::string& name);

  /// Adds it for good. The journal is held for this moment only.
  void keep(const Proof& proof);

 private:
  void leave();

  std::filesystem::path folder_;
  std::string workload_;
  Descriptor lock_;
  std::set<std::string> files_;
};

}  // namespace trainmark
