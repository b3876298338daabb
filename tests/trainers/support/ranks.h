#pragma once

#include <memory>
#include <string>
#include <vector>

#include "trainers/support/program.h"

namespace trainmark::test {

/// The ranks of one job on this machine, as a launcher would start them.
class Ranks {
 public:
  Ranks(int count, const std::vector<std::string>& arguments);

  Program& operator[](int rank) { return *programs_.at(static_cast<std::size_t>(rank)); }
  int size() const { return static_cast<int>(programs_.size()); }

  /// Waits for all. Fails the test where one does not end with 0.
  void finish();

  /// Those of one rank.
  std::vector<double> losses(int rank = 0) const;

 private:
  std::vector<std::unique_ptr<Program>> programs_;
};

}  // namespace trainmark::test
