#pragma once

#include <functional>
#include <map>
#include <string>
#include <vector>

#include "base/cell.h"
#include "suite/catalog.h"
#include "suite/suite.h"

namespace trainmark {

/// One block of a suite's matrix with every value checked. Throws UserError with file:line for a
/// name that nobody knows.
class Block {
 public:
  Block(const Matrix& matrix, const Catalog& catalog);

  /// How many cells this block asks for, in floating point: it may be beyond any integer.
  double count() const;
  std::string count_text() const;

  /// Every combination of the values, the frameworks of one cell side by side.
  void for_each(const std::function<void(const Cell&, const Place&)>& visit) const;

  /// Every command must be able to follow the block: a program that is started in the same way for
  /// two batches has one.
  void check_commands(const Suite& suite) const;

  /// Were both named by the user, so that an impossible pair deserves a message?
  bool named() const { return !all_workloads_ && !all_frameworks_; }

 private:
  using Values = std::vector<Placed<std::string>>;

  Values values_of(const std::string& dimension) const;
  void check_names(const Catalog& catalog) const;
  void check_numbers() const;
  void expand_all(const Catalog& catalog);

  const Matrix& matrix_;
  std::map<std::string, Values> values_;  // of every dimension
  bool all_workloads_ = false;
  bool all_frameworks_ = false;
};

/// Throws UserError where `value` is not among the `known` names; it tells the nearest of them.
void check_name(const Placed<std::string>& value, const std::string& dimension,
                const std::vector<std::string>& known);
/// The same of a device; it tells all of them.
void check_device(const Placed<std::string>& value, const std::vector<std::string>& known);

}  // namespace trainmark
