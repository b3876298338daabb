#pragma once

#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>

#include "base/secrets.h"
#include "bench/progress.h"
#include "bisect/repository.h"
#include "measure/turns.h"
#include "suite/suite.h"

namespace trainmark {

/// A commit as a program to be measured.
struct BuiltCommit {
  std::string name;  // as a framework of a suite
  std::filesystem::path tree;
};

struct ComparisonOptions {
  std::filesystem::path folder;  // of the results
  std::string build;          // a line for the shell, in the top folder of the tree; may be empty
  double build_limit = 3600;  // seconds
  bool clean = false;         // before each build
  /// The suite in which two commits take turns, `interval` being the rule's.
  std::function<Suite(const BuiltCommit& good, const BuiltCommit& next, double interval)> suite;
  Secrets secrets;
  std::function<bool()> interrupted;
};

/// Compares commits with the good end of a range. Each commit has a folder of results of its own,
/// which reports can be made from; a comparison is a round in it, and what was measured once is not
/// measured again.
class Comparisons {
 public:
  Comparisons(const Repository& repository, const Commit& good, ComparisonOptions options,
              Progress& progress);

  /// The comparison with this number, from 0: the throughput of the commit ÷ that of the good end.
  /// Throws Unusable (bisect/search.h) where the commit does not build or run, SystemError where
  /// the good end does not, and Interrupted.
  PairedRatio compare(const Commit& commit, std::size_t number, double interval);

  /// The folder of results of a commit.
  std::filesystem::path results_of(const Commit& commit) const;

 private:
  std::optional<PairedRatio> find(const Commit& commit, int round) const;
  void build_trees(const Commit& commit);
  void build(const WorkTree& tree, const Commit& commit);
  void measure(const Commit& commit, int rounds, double interval);

  const Repository& repository_;
  const Commit& good_;
  ComparisonOptions options_;
  Progress& progress_;
  std::unique_ptr<WorkTree> good_tree_;
  std::unique_ptr<WorkTree> next_tree_;
  std::string built_;  // the commit that the second tree holds
  nlohmann::json environment_;
};

}  // namespace trainmark
